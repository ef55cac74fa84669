import type { Ask } from "./ask.ts";
import { readForm } from "./form.ts";
import { messagePage } from "./message-page.ts";
import type { ConsoleParts } from "./parts.ts";
import { pageReply, type Reply, redirectReply } from "./reply.ts";
import type { Route } from "./route.ts";

export type FormRequest = {
  parts: ConsoleParts;
  submit: NonNullable<Route["submit"]>;
  ask: Ask;
  request: Request;
};

/** The one way to a handler that changes something: our origin, our page, this session or this visitor. */
export async function submitForm({ parts, submit, ask, request }: FormRequest): Promise<Reply> {
  const { guard, config, log } = parts;
  if (!guard.isFromOurOrigin(request.headers)) {
    log.warn("console_foreign_form", { client_address: ask.asker.clientAddress });
    return otherAddress(config.publicUrl);
  }
  const form = await readForm(request);
  if (submit.from === "visitor") {
    return guard.acceptsVisitor(ask, form) ? submit.run({ ...ask, form }) : stalePage(ask);
  }
  const signedIn = await ask.session();
  if (!signedIn) return redirectReply("/console");
  return guard.acceptsSession(signedIn, form) ? submit.run({ ...ask, form, signedIn }) : stalePage(ask);
}

function otherAddress(publicUrl: string): Reply {
  return pageReply(
    messagePage({
      title: "This form came from elsewhere",
      text: `Nothing was changed. Forms are taken from ${publicUrl} only; if you reach the console at another address, whoever runs it sets BURSAR_PUBLIC_URL to that one.`,
      next: { href: `${publicUrl}/console`, label: "To the console" },
    }),
    403,
  );
}

function stalePage(ask: Ask): Reply {
  return pageReply(
    messagePage({
      title: "This page was out of date",
      text: "Nothing was changed. It was open for too long, or the browser keeps no cookies. Please try again.",
      next: { href: ask.path, label: "Try again" },
    }),
    403,
  );
}
