const SHOW_EVERY_MS = 50;

/**
 * Shows the first piece at once, and what follows together after a pause: a fast model sends hundreds of chunks per
 * second, and rendering each would lay out the whole answer again.
 */
export function paced(onText: (text: string) => void) {
  let waiting = "";
  let pause: ReturnType<typeof setTimeout> | undefined;
  function show(): void {
    clearTimeout(pause);
    pause = undefined;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    onText(text);
    const shownAt = performance.now();
    // Runs after rendering.
    pause = setTimeout(() => {
      // A table of a thousand rows takes longer: keep most of the time free for the user, who may want to stop it.
      pause = setTimeout(show, Math.max(SHOW_EVERY_MS, 2 * (performance.now() - shownAt)));
    });
  }
  return {
    add(text: string): void {
      waiting += text;
      if (pause === undefined) show();
    },
    show,
  };
}
