import type { Database } from "../../db/index.ts";
import { AppError, type Clock, HOUR_MS, newId, raceSignal } from "../../kit/index.ts";
import type { FileReply, ServingServices } from "../../operations/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallEndpoint } from "../context.ts";
import { ICON } from "../pages/icon.ts";
import { THEMES, type Theme, themeColourTags } from "../pages/theme-colour.ts";
import { pathOf, queryOf } from "../request-target.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { API_PATH, createConsoleApi } from "./api/api.ts";
import { answerPlay, PLAY_ENDPOINTS, PLAY_PATH } from "./api/playground.ts";
import { problemIn } from "./api/problem.ts";
import { createCommands, createQueries } from "./api/tables.ts";
import { type Ask, createAsk } from "./ask.ts";
import { createAskAllowance } from "./ask-allowance.ts";
import { type Bundle, bundleOfProcess } from "./bundle/bundle.ts";
import { fileResponse } from "./bundle/file-response.ts";
import { FILES_PATH } from "./bundle/manifest.ts";
import { createCommandGuard } from "./command-guard.ts";
import type { Problem } from "./contract.ts";
import { parseCookies } from "./cookies.ts";
import { createKnownBrowsers } from "./known-browser.ts";
import type { ConsoleDeps, ConsoleParts } from "./parts.ts";
import { createPasswordTickets } from "./password-ticket.ts";
import { consoleReply } from "./reply.ts";
import { createSignInBrake } from "./sign-in-brake.ts";

/** Set by the web app, so that no page is first shown in the other theme. */
const THEME_COOKIE = "bursar.theme";

function themeOf(cookie: string | undefined): Theme | null {
  return THEMES.find((theme) => theme === cookie) ?? null;
}

/**
 * The only HTML page of the console: the script creates everything else. It contains nothing of the request. `command`
 * is what the operator types to run a command.
 */
function shellPage({ script, styles, files }: Bundle, theme: Theme | null, command: string): string {
  const sheets = styles.map((name) => `<link rel="stylesheet" href="${FILES_PATH}${name}">`).join("");
  // A browser would request a font only when it draws the first text, which the script has to arrive for.
  const fonts = [...files.keys()]
    .filter((name) => name.endsWith(".woff2"))
    .map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${FILES_PATH}${name}">`)
    .join("");
  return `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${themeColourTags(theme)}
<title>Bursar</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
${sheets}
${fonts}
<script type="module" src="${FILES_PATH}${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript><p class="noscript">The console is a web app and needs JavaScript. The operator's commands do not: <code>${Bun.escapeHTML(command)} --help</code>.</p></noscript>
</body>
</html>
`;
}

const DATABASE_ANSWER_MS = 2_000;

/** Public messages only. An unexpected error is our own bug: the log gets all details, the page a reference. */
async function problemOf(
  error: unknown,
  { db, log }: { db: Database; log: Log },
): Promise<{ readonly status: number; readonly problem: Problem }> {
  const known = problemIn(error);
  if (known) {
    const { status, ...problem } = known;
    return { status, problem };
  }
  if (error instanceof AppError && error.status < 500) {
    const { field } = error.options;
    const problem = { code: "invalid", message: error.message, ...(field ? { field } : {}) } as const;
    return { status: error.status, problem };
  }
  const reference = newId();
  const away = await whyAway(db);
  log.error("console_failed", { reference, error, ...(away === null ? {} : { database: away }) });
  if (away !== null) {
    const message = "The database is not available. Try again in a moment.";
    return { status: 503, problem: { code: "busy", message, retryAfterSeconds: 5 } };
  }
  const message = `Something went wrong on our side. Try again; if it keeps happening, report it with this reference: ${reference}`;
  return { status: 500, problem: { code: "failed", message } };
}

/** The accounts library wraps errors in its own, so the database itself is asked. Null if it answers. */
async function whyAway(db: Database): Promise<string | null> {
  const answered = raceSignal(db.isReachable(), AbortSignal.timeout(DATABASE_ANSWER_MS));
  return answered.then(
    () => null,
    (error: unknown) => String(error),
  );
}

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * The same page at the public URL, for someone who typed another loopback name of this machine: cookies and the origin
 * check go by the public one. Null for every other name, since a proxy may pass on any Host.
 */
function publicTwin(publicUrl: string, request: Request): string | null {
  const ours = new URL(publicUrl);
  const asked = URL.parse(request.url);
  if (!asked || asked.hostname === ours.hostname || asked.port !== ours.port) return null;
  if (!LOOPBACK_NAMES.has(ours.hostname) || !LOOPBACK_NAMES.has(asked.hostname)) return null;
  const query = queryOf(request);
  return `${ours.origin}${pathOf(request)}${query === "" ? "" : `?${query}`}`;
}

export type Console = {
  /** Answers every path under `/console`; never throws. `clientAddress` is the trusted one. */
  handle(request: Request, clientAddress: string, callEndpoint?: CallEndpoint): Promise<Response>;
  /** The request's route label in the log and the metrics: the path of an existing operation, else `/console`. */
  routeOf(request: Request): string;
};

/**
 * Every attempt counts, successful or not: each creates an account or sends an email. It is taken back if the mail
 * queue did not accept the email.
 */
const SIGN_UPS = { failuresPerTarget: 3, failuresPerNetwork: 10, windowMs: HOUR_MS };
const LETTERS = { failuresPerTarget: 5, failuresPerNetwork: 200, windowMs: HOUR_MS };
const LETTERS_OF_ALL = {
  failuresPerTarget: 20,
  failuresPerNetwork: Number.POSITIVE_INFINITY,
  windowMs: HOUR_MS,
};

/**
 * For every face that invites: counts per organization and address, so no organization can keep others from inviting the
 * same address; and per address alone, with a higher limit, so many organizations together cannot flood one either.
 */
export function createInvitationBrake(clock: Clock): ServingServices["brakeInvitation"] {
  const own = createSignInBrake({ clock, ...LETTERS });
  const all = createSignInBrake({ clock, ...LETTERS_OF_ALL });
  return ({ clientAddress, organizationId, email }) => {
    const ofOwn = own.begin({ clientAddress, target: `${organizationId} ${email}` });
    if (ofOwn.outcome === "wait") return ofOwn;
    const ofAll = all.begin({ clientAddress, target: email });
    if (ofAll.outcome === "go") {
      return {
        outcome: "go",
        takeBack() {
          ofOwn.succeed();
          ofAll.succeed();
        },
      };
    }
    ofOwn.succeed();
    return ofAll;
  };
}

export function createConsole({ db, ...deps }: ConsoleDeps & { readonly db: Database }): Console {
  const { publicUrl, secret } = deps.config;
  const parts: ConsoleParts = {
    ...deps,
    accounts: createAccounts({
      db,
      publicUrl,
      secret,
      log: deps.log,
      endLinks: (client, userId) => deps.identity.members.endLinks(client, userId),
    }),
    guard: createCommandGuard({ publicUrl, secret }),
    tickets: createPasswordTickets({ publicUrl, secret, clock: deps.clock }),
    knownBrowsers: createKnownBrowsers({ publicUrl, secret }),
    brake: createSignInBrake({ clock: deps.clock }),
    signUpBrake: createSignInBrake({ clock: deps.clock, ...SIGN_UPS }),
    acceptBrake: createSignInBrake({ clock: deps.clock, failuresPerTarget: 10 }),
    linkBrake: createSignInBrake({ clock: deps.clock, ...LETTERS }),
    allowance: createAskAllowance({ clock: deps.clock }),
  };
  const api = createConsoleApi(parts, {
    queries: createQueries(parts),
    commands: createCommands(parts),
  });

  /** Passes `work` the parsed request; what it throws becomes a problem for the page. */
  async function answer(
    request: Request,
    clientAddress: string,
    work: (ask: Ask, setCookies: readonly string[]) => Promise<Response>,
  ): Promise<Response> {
    const setCookies: string[] = [];
    const ask = createAsk({
      request,
      clientAddress,
      path: pathOf(request),
      accounts: parts.accounts,
      setCookies,
    });
    try {
      return await work(ask, setCookies);
    } catch (error) {
      const { status, problem } = await problemOf(error, { db, log: deps.log });
      const headers: Record<string, string> =
        problem.retryAfterSeconds === undefined ? {} : { "retry-after": String(problem.retryAfterSeconds) };
      return consoleReply(JSON.stringify({ problem }), { type: "json", status, setCookies, headers });
    }
  }

  function answerApi(request: Request, clientAddress: string): Promise<Response> {
    return answer(request, clientAddress, async (ask, setCookies) => {
      const found = await api.answer(ask, request);
      if (found.kind === "file") return fileReply(found.file, setCookies);
      return consoleReply(JSON.stringify({ ok: found.output }), { type: "json", setCookies });
    });
  }

  /** All pages are the same HTML; the script decides what it shows. */
  async function answerPage(request: Request, path: string): Promise<Response> {
    const twin = publicTwin(publicUrl, request);
    if (twin !== null) return consoleReply(null, { type: "html", status: 307, headers: { location: twin } });
    if (path === "/console/icon.svg") return iconReply();
    const built = await bundleOfProcess().catch((error: unknown) => {
      deps.log.error("console_not_bundled", { error });
      return null;
    });
    if (built === null) return brokenPage();
    if (path.startsWith(FILES_PATH)) return fileOrNothing(built, path, request);
    const theme = themeOf(parseCookies(request.headers.get("cookie")).get(THEME_COOKIE));
    return consoleReply(shellPage(built, theme, deps.config.service.command), { type: "html" });
  }

  return {
    handle(request, clientAddress, callEndpoint = () => null) {
      const path = pathOf(request);
      if (path.startsWith(API_PATH)) return answerApi(request, clientAddress);
      if (path.startsWith(PLAY_PATH)) {
        return answer(request, clientAddress, async (ask, setCookies) => {
          const response = await answerPlay(parts, ask, { request, callEndpoint });
          for (const line of setCookies) response.headers.append("set-cookie", line);
          return response;
        });
      }
      if (request.method === "GET" || request.method === "HEAD") return answerPage(request, path);
      return Promise.resolve(methodNotAllowed());
    },
    routeOf(request) {
      const path = pathOf(request);
      const isNamed = path.startsWith(API_PATH)
        ? api.has(request.method, path.slice(API_PATH.length))
        : path.startsWith(PLAY_PATH) && PLAY_ENDPOINTS.has(path.slice(PLAY_PATH.length));
      return isNamed ? path : "/console";
    },
  };
}

function fileReply({ fileName, mimeType, body }: FileReply, setCookies: readonly string[]): Response {
  return consoleReply(body, {
    type: "html",
    setCookies,
    headers: { "content-type": mimeType, "content-disposition": `attachment; filename="${fileName}"` },
  });
}

function fileOrNothing(built: Bundle, path: string, request: Request): Response {
  const found = fileResponse(built, path, request.headers.get("accept-encoding"));
  return found ?? consoleReply("There is no such file.", { type: "html", status: 404 });
}

function iconReply(): Response {
  return new Response(ICON, {
    headers: {
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=86400",
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}

function methodNotAllowed(): Response {
  return consoleReply("This page takes GET and HEAD only.", {
    type: "html",
    status: 405,
    headers: { allow: "GET, HEAD" },
  });
}

function brokenPage(): Response {
  return consoleReply("The console could not be built; the log says why. Calls are served as usual.", {
    type: "html",
    status: 500,
  });
}
