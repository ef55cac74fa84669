import type { Database } from "../../db/index.ts";
import { createIdentityFixture, type IdentityFixture } from "../../identity/testing.ts";
import { assert, systemClock } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createUsage } from "../../usage/index.ts";
import { type Console, createConsole } from "./index.ts";

export const TEST_ORIGIN = "http://127.0.0.1:8787";

export type ConsoleFixture = IdentityFixture & {
  /** Another console on the same database, as another node would be. */
  openConsole(options?: { publicUrl?: string; db?: Database }): Console;
  /** A browser with no cookies, at an address of its own unless told otherwise. */
  openBrowser(options?: { console?: Console; clientAddress?: string; origin?: string }): TestBrowser;
  /** A browser whose owner came by a sign-in link. */
  signIn(email: string): Promise<TestBrowser>;
  linkFor(email: string, purpose: "sign-in" | "set-password"): Promise<string>;
};

export async function createConsoleFixture(): Promise<ConsoleFixture> {
  const identity = await createIdentityFixture();
  const usage = createUsage({
    db: identity.db,
    clock: systemClock,
    typeOfModel: () => "text",
    worthOfInput: () => 0,
  });
  let browsers = 0;

  function openConsole({ publicUrl = TEST_ORIGIN, db = identity.db } = {}): Console {
    const secret = "a secret of at least thirty-two characters";
    const config = { publicUrl, secret, aliasPrefix: "svc-" } as const;
    return createConsole({
      identity: identity.identity,
      db,
      usage,
      config,
      clock: systemClock,
      log: silentLog,
    });
  }
  const ownConsole = openConsole();

  function openBrowser(options: Parameters<ConsoleFixture["openBrowser"]>[0] = {}): TestBrowser {
    const clientAddress = options.clientAddress ?? `10.0.0.${++browsers}`;
    return createTestBrowser({
      console: options.console ?? ownConsole,
      clientAddress,
      origin: options.origin ?? TEST_ORIGIN,
    });
  }

  async function linkFor(email: string, purpose: "sign-in" | "set-password"): Promise<string> {
    const link = await identity.identity.members.link({ email, purpose });
    assert(link !== null, `nobody has the address ${email}`);
    return `/console/link/${link.token}`;
  }

  return {
    ...identity,
    openConsole,
    openBrowser,
    linkFor,
    async signIn(email) {
      const browser = openBrowser();
      const path = await linkFor(email, "sign-in");
      await browser.get(path);
      await browser.submit(path);
      return browser;
    },
  };
}

export type TestPage = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string | null;
};

/** Keeps cookies and the newest form's token as a browser would, follows nothing by itself. */
export type TestBrowser = {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<TestPage>;
  /** Sends the form of the page seen last. `headers` replace what a browser would send; null leaves one out. */
  submit(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string | null>,
  ): Promise<TestPage>;
};

function createTestBrowser(options: {
  console: Console;
  clientAddress: string;
  origin: string;
}): TestBrowser {
  const cookies = new Map<string, string>();
  let formToken = "";

  async function send(path: string, init: RequestInit): Promise<TestPage> {
    const headers = new Headers(init.headers);
    if (!headers.has("cookie")) {
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const request = new Request(`${options.origin}${path}`, { ...init, headers });
    const response = await options.console.handle(request, options.clientAddress);
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (line.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    formToken = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? formToken;
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get("location"),
    };
  }

  return {
    cookies,
    get: (path) => send(path, { method: "GET" }),
    submit: (path, fields = {}, headers = {}) => {
      const sent = Object.entries({ ...browserHeaders(options.origin), ...headers });
      return send(path, {
        method: "POST",
        body: new URLSearchParams({ form_token: formToken, ...fields }),
        headers: sent.filter((pair): pair is [string, string] => pair[1] !== null),
      });
    },
  };
}

function browserHeaders(origin: string): Record<string, string> {
  return { origin, "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };
}
