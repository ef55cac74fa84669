import type { BrowserContext, Page } from "playwright-core";

/** Collects what pages complain about; a test passes only if there is nothing. */
type Complaints = {
  watch(context: BrowserContext): void;
  /** Returns the complaints since the last call. */
  take(): string[];
};

/** A refused request (4xx) can be part of a flow, and the page reports it; an error of the gateway itself cannot. */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Listens for script errors, console errors and CSP violations, which Chromium logs to the console too. */
export function createComplaints(): Complaints {
  let heard: string[] = [];
  const hear = (page: Page, what: string) => {
    heard.push(`${new URL(page.url()).pathname}: ${what}`);
  };
  const watchPage = (page: Page) => {
    page.on("pageerror", (error) => hear(page, `${error.name}: ${error.message}`));
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type())) return;
      if (REFUSAL.test(message.text()) && message.location().url.includes("/console/api/")) return;
      hear(page, message.text());
    });
  };
  return {
    watch: (context) => void context.on("page", watchPage),
    take() {
      const taken = heard;
      heard = [];
      return taken;
    },
  };
}
