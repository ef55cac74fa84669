import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLibrary, type Library, openObjectStore } from "../../assets/index.ts";
import type { Billing, StripeSettings } from "../../billing/index.ts";
import { createTestPayments } from "../../billing/testing.ts";
import { catalogWith, TEXT_ENTRY } from "../../catalog/testing.ts";
import type { Database } from "../../db/index.ts";
import type { Identity } from "../../identity/index.ts";
import { createIdentityFixture, type IdentityFixture } from "../../identity/testing.ts";
import { assert, createSealer, systemClock } from "../../kit/index.ts";
import { createLedger } from "../../ledger/index.ts";
import type { Mail, OperationServices } from "../../operations/index.ts";
import { createEndpoints } from "../../outbox/endpoints.ts";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { createUsage } from "../../usage/index.ts";
import { LOW_BALANCE } from "../../usage/testing.ts";
import type { Commands, Problem, Queries } from "./contract.ts";
import { type Console, createConsole, createInvitationBrake } from "./index.ts";

export const TEST_ORIGIN = "http://127.0.0.1:8787";
const TEST_CATALOG = catalogWith({
  models: [
    TEXT_ENTRY,
    {
      ...TEXT_ENTRY,
      id: "partner-chat",
      visibility: { organizations: ["kept-partner", "kept-partner-2"] },
    },
  ],
  aliases: { "svc-fast": ["acme-chat", "sandbox-chat"] },
  // Has no price, so nobody can choose it: only an operator assigns it.
  plans: {
    partner: { usd: 0, monthly_credits: 5_000, requests_per_minute: 60, in_flight: 5, video_jobs: 1 },
  },
});

export type ConsoleFixture = IdentityFixture & {
  readonly library: Library;
  /** What the operations of the first console work with. */
  readonly operations: OperationServices;
  /** Another console on the same database, like another node. */
  openConsole(options?: {
    publicUrl?: string;
    db?: Database;
    identity?: Identity;
    billing?: Pick<Billing, "startPlan">;
    signUpIsOpen?: boolean;
    /** Has room by default. */
    mail?: Pick<Mail, "send"> & Partial<Mail>;
    log?: Log;
    stripe?: StripeSettings;
    stripeWaitMs?: number;
    testCheckout?: boolean;
    creditMicroUsd?: number;
    command?: string;
  }): Console;
  /** A browser without cookies, at its own address unless one is given. */
  openBrowser(options?: { console?: Console; clientAddress?: string; origin?: string }): TestBrowser;
  /** A browser that was signed in by a link. */
  signIn(email: string): Promise<TestBrowser>;
  /** The token of a one-time link. */
  linkFor(email: string, purpose: "sign-in" | "set-password"): Promise<string>;
};

export async function createConsoleFixture(): Promise<ConsoleFixture> {
  const identity = await createIdentityFixture();
  const usage = createUsage({
    db: identity.db,
    clock: systemClock,
    typeOfModel: () => "text",
    lowBalance: LOW_BALANCE,
  });
  const folder = join(tmpdir(), `bursar-console-${crypto.randomUUID()}`);
  const library = createLibrary({
    db: identity.db,
    objects: openObjectStore({ kind: "files", folder }),
    secret: "another secret of the tests",
    log: silentLog,
    databaseWaitMs: 30_000,
  });
  let browsers = 0;

  type ConsoleOptions = NonNullable<Parameters<ConsoleFixture["openConsole"]>[0]>;

  function operationsFor(options: ConsoleOptions) {
    const { publicUrl = TEST_ORIGIN, db = identity.db, mail, stripeWaitMs, creditMicroUsd = 1_000 } = options;
    return {
      db,
      identity: options.identity ?? identity.identity,
      ledger: createLedger(db),
      usage,
      catalog: TEST_CATALOG,
      clock: systemClock,
      log: options.log ?? silentLog,
      publicUrl,
      creditMicroUsd,
      serving: {
        payments: createTestPayments({ ...options, db }),
        library,
        webhooks: createEndpoints({
          sealer: createSealer("a secret of the tests", "endpoints"),
          hasMail: mail !== undefined,
          isLocal: true,
          ownHosts: [],
        }),
        mail: mail ? { hasRoom: () => true, ...mail } : null,
        brakeInvitation: createInvitationBrake(systemClock),
        stripeWaitMs,
      },
    };
  }

  const openConsole: ConsoleFixture["openConsole"] = (options = {}) => {
    const { publicUrl = TEST_ORIGIN, db = identity.db, signUpIsOpen = false, mail } = options;
    const operations = operationsFor(options);
    const { payments, mail: sender } = operations.serving;
    const secret = "a secret of at least thirty-two characters";
    const service = {
      publicUrl,
      version: "0.0.0",
      signUpIsOpen,
      sendsMail: mail !== undefined,
      payments: payments.mode,
      aliasPrefix: "svc-",
      command: options.command ?? "bin/bursar",
    } as const;
    const config = { publicUrl, secret, signUpPlan: "free", service } as const;
    return createConsole({
      identity: options.identity ?? identity.identity,
      db,
      usage,
      catalog: TEST_CATALOG,
      // Periods are tested in billing; here it is enough that a plan can be started.
      billing: options.billing ?? { startPlan: async () => null },
      operations,
      mail: sender,
      config,
      clock: systemClock,
      log: operations.log,
    });
  };
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
    return link.token;
  }

  return {
    ...identity,
    library,
    operations: operationsFor({ testCheckout: true }),
    openConsole,
    openBrowser,
    linkFor,
    async signIn(email) {
      const browser = openBrowser();
      okOf(await browser.command("redeem-link", { token: await linkFor(email, "sign-in") }));
      return browser;
    },
    async close() {
      await identity.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type TestPage = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Either `ok` or `problem`. */
type Answered<Output> = {
  readonly status: number;
  readonly headers: Headers;
  readonly ok?: Output;
  readonly problem?: Problem;
};

/** Keeps cookies as a browser would, and the command token as the web app does. */
export type TestBrowser = {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<TestPage>;
  query<Name extends keyof Queries>(
    name: Name,
    input?: Queries[Name]["input"],
  ): Promise<Answered<Queries[Name]["output"]>>;
  /** `headers` replace what a page would send; null omits one. */
  command<Name extends keyof Commands>(
    name: Name,
    input: Commands[Name]["input"],
    headers?: Record<string, string | null>,
  ): Promise<Answered<Commands[Name]["output"]>>;
  /** Sends any bytes to any path, with the cookies. */
  send(path: string, init: RequestInit): Promise<Response>;
  token(): Promise<string>;
};

/** The output; throws with the problem if the request was refused. */
export function okOf<Output>({ ok, problem, status }: Answered<Output>): Output {
  assert(ok !== undefined, `${status}: ${problem?.code} ${problem?.message}`);
  return ok;
}

function createTestBrowser(options: {
  console: Console;
  clientAddress: string;
  origin: string;
}): TestBrowser {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit): Promise<Response> {
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
    return response;
  }

  async function answered<Output>(response: Response): Promise<Answered<Output>> {
    const body = (await response.json()) as { ok?: Output; problem?: Problem };
    return { status: response.status, headers: response.headers, ...body };
  }

  function query<Name extends keyof Queries>(name: Name, input: Queries[Name]["input"]) {
    const search = `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return send(`/console/api/${name}${search}`, { method: "GET" }).then(answered<Queries[Name]["output"]>);
  }

  const token = async () => okOf(await query("session", {})).token;

  return {
    cookies,
    send,
    token,
    async get(path) {
      const response = await send(path, { method: "GET" });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    query: (name, input) => query(name, input ?? {}),
    async command(name, input, headers = {}) {
      const sent = Object.entries({
        origin: options.origin,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        "x-console-token": "x-console-token" in headers ? null : await token(),
        ...headers,
      });
      const response = await send(`/console/api/${name}`, {
        method: "POST",
        body: JSON.stringify(input),
        headers: sent.filter((pair): pair is [string, string] => pair[1] !== null),
      });
      return answered(response);
    },
  };
}
