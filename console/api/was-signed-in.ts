const NAME = "bursar.signed-in";

/** A guess, made before the session is known: whether somebody was signed in here when this page was last open. */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    // Browsers may forbid it, as they do for a page whose data must not be kept.
    return false;
  }
}

export function rememberSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(NAME, "1");
    else localStorage.removeItem(NAME);
  } catch {
    // Then every visit is like the first one.
  }
}
