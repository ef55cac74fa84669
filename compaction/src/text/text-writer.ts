/** Copies a text with some ranges replaced, from left to right. What lies between them is copied in one go. */
type TextWriter = {
  replace(from: number, to: number, by: string): void;
  /** The result; the text itself if nothing was replaced. */
  finish(): string;
};

export function createTextWriter(text: string): TextWriter {
  let written = "";
  let copied = 0;
  return {
    replace(from, to, by) {
      written += text.slice(copied, from);
      if (by !== "") written += by;
      copied = to;
    },
    finish: () => (copied === 0 && written === "" ? text : written + text.slice(copied)),
  };
}
