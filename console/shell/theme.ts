export type ThemeChoice = "system" | "light" | "dark";

const COOKIE = "bursar.theme";
const YEAR_SECONDS = 31_536_000;

export function chosenTheme(): ThemeChoice {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Kept in a cookie, so that the gateway's page has the right colours from the start. */
export function chooseTheme(choice: ThemeChoice): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  if (choice === "system") {
    delete document.documentElement.dataset.theme;
    document.cookie = `${COOKIE}=; Path=/console; Max-Age=0; SameSite=Lax${secure}`;
  } else {
    document.documentElement.dataset.theme = choice;
    document.cookie = `${COOKIE}=${choice}; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
  }
  paintBrowserBars(choice);
}

/** The page has a tag for each theme, which applies by the system's preference or by this choice. */
function paintBrowserBars(choice: ThemeChoice): void {
  for (const tag of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { theme } = tag.dataset;
    tag.media =
      choice === "system" ? `(prefers-color-scheme: ${theme})` : choice === theme ? "all" : "not all";
  }
}
