import type { Database } from "../../db/index.ts";
import { HOUR_MS } from "../../kit/index.ts";
import type { CallEndpoint } from "../context.ts";
import { ICON } from "../pages/icon.ts";
import { pathOf } from "../request-target.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { API_PATH, createConsoleApi } from "./api/api.ts";
import type { FileReply } from "./api/operation.ts";
import { answerPlay, PLAY_ENDPOINTS, PLAY_PATH } from "./api/playground.ts";
import { problemOf } from "./api/problem-of.ts";
import { createCommands, createDownloads, createQueries } from "./api/tables.ts";
import { type Ask, createAsk } from "./ask.ts";
import { createAskAllowance } from "./ask-allowance.ts";
import { type Bundle, bundleOfProcess } from "./bundle/bundle.ts";
import { fileResponse } from "./bundle/file-response.ts";
import { FILES_PATH } from "./bundle/manifest.ts";
import { shellPage, THEME_COOKIE, themeOf } from "./bundle/shell-page.ts";
import { createCommandGuard } from "./command-guard.ts";
import { parseCookies } from "./cookies.ts";
import { createKnownBrowsers } from "./known-browser.ts";
import type { ConsoleDeps, ConsoleParts } from "./parts.ts";
import { createPasswordTickets } from "./password-ticket.ts";
import { publicTwin } from "./public-address.ts";
import { consoleReply } from "./reply.ts";
import { createSignInBrake } from "./sign-in-brake.ts";

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
    invitationBrake: createSignInBrake({ clock: deps.clock, ...LETTERS }),
    invitedBrake: createSignInBrake({ clock: deps.clock, ...LETTERS_OF_ALL }),
    acceptBrake: createSignInBrake({ clock: deps.clock, failuresPerTarget: 10 }),
    linkBrake: createSignInBrake({ clock: deps.clock, ...LETTERS }),
    allowance: createAskAllowance({ clock: deps.clock }),
  };
  const api = createConsoleApi(parts, {
    queries: createQueries(parts),
    commands: createCommands(parts),
    downloads: createDownloads(parts),
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
