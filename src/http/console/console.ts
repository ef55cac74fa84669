import type { Database } from "../../db/index.ts";
import { pathOf } from "../request-target.ts";
import { createAccounts } from "./accounts.ts";
import { createAsk } from "./ask.ts";
import { assetResponse } from "./assets.ts";
import { billingRoute } from "./billing.ts";
import { errorReply, notFound } from "./errors.ts";
import { createFormGuard } from "./form-guard.ts";
import { linkRoute } from "./link.ts";
import { messagePage } from "./message-page.ts";
import { organizationRoute } from "./organization.ts";
import { overviewRoute } from "./overview.ts";
import type { ConsoleParts } from "./parts.ts";
import { passwordRoute } from "./password.ts";
import { createPasswordTickets } from "./password-ticket.ts";
import { publicTwin } from "./public-address.ts";
import { pageReply, type Reply, toResponse } from "./reply.ts";
import type { Route } from "./route.ts";
import { signInRoute, signOutRoute } from "./sign-in.ts";
import { createSignInBrake } from "./sign-in-brake.ts";
import { submitForm } from "./submit-form.ts";

export type ConsoleDeps = Pick<ConsoleParts, "identity" | "usage" | "config" | "clock" | "log"> & {
  readonly db: Database;
};

export type Console = {
  /** Answers every path under `/console`; never throws. `clientAddress` is the one that is believed. */
  handle(request: Request, clientAddress: string): Promise<Response>;
};

export function createConsole({ db, ...deps }: ConsoleDeps): Console {
  const { publicUrl, secret } = deps.config;
  const parts: ConsoleParts = {
    ...deps,
    accounts: createAccounts({ db, publicUrl, secret, log: deps.log }),
    guard: createFormGuard({ publicUrl, secret }),
    tickets: createPasswordTickets({ publicUrl, secret, clock: deps.clock }),
    brake: createSignInBrake({ clock: deps.clock }),
  };
  const routes = [
    overviewRoute(parts),
    linkRoute(parts),
    passwordRoute(parts),
    signInRoute(parts),
    signOutRoute(parts),
    organizationRoute(parts),
    billingRoute(parts),
  ];

  async function answer(request: Request, clientAddress: string, setCookies: string[]): Promise<Reply> {
    const path = pathOf(request);
    const route = routes.find((one) => one.path.test(path));
    if (!route) throw notFound();
    const pathPart = route.path.exec(path)?.[1] ?? "";
    const ask = createAsk({ request, clientAddress, path, pathPart, accounts: parts.accounts, setCookies });
    if (isRead(request) && route.show) {
      const twin = publicTwin(publicUrl, request);
      return twin === null ? route.show(ask) : { status: 307, body: null, headers: { location: twin } };
    }
    if (request.method === "POST" && route.submit) {
      return submitForm({ parts, submit: route.submit, ask, request });
    }
    return methodNotAllowed(route);
  }

  return {
    async handle(request, clientAddress) {
      const asset = isRead(request) ? assetResponse(pathOf(request)) : null;
      if (asset) return asset;
      const setCookies: string[] = [];
      const reply = await answer(request, clientAddress, setCookies).catch((error) =>
        errorReply(error, { db, log: deps.log }),
      );
      return toResponse(reply, setCookies);
    },
  };
}

function isRead(request: Request): boolean {
  return request.method === "GET" || request.method === "HEAD";
}

function methodNotAllowed(route: Route): Reply {
  const methods = [...(route.show ? ["GET", "HEAD"] : []), ...(route.submit ? ["POST"] : [])].join(", ");
  const text = `This page takes ${methods} only.`;
  return {
    ...pageReply(messagePage({ title: "That does not work here", text }), 405),
    headers: { allow: methods },
  };
}
