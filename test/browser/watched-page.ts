import type { BrowserContext, Page } from "playwright-core";

/** What a page complained about; an empty list is the only good one. */
type Complaints = {
  watch(context: BrowserContext): void;
  /** Hands over what was heard since the last time. */
  take(): string[];
};

/** A refused question is part of a flow, and the page says so; what the gateway itself got wrong is not. */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Errors of scripts, of the console and of the content policy, which Chromium writes to the console too. */
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
