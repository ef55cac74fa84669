import { command } from "./command.ts";
import { html } from "./html.ts";
import { formTokenField, layout } from "./layout.ts";
import { messagePage } from "./message-page.ts";
import type { ConsoleParts } from "./parts.ts";
import { pageReply, type Reply, redirectReply } from "./reply.ts";
import type { Route } from "./route.ts";

/**
 * One-time links. Opening one changes nothing and asks nothing of the database, so that a mail scanner or
 * a chat's preview does not use it up; the button does.
 */
export function linkRoute({ accounts, guard, identity, log, tickets }: ConsoleParts): Route {
  return {
    path: /^\/console\/link\/([A-Za-z0-9_-]{43})$/,
    show: async (ask) => pageReply(linkPage(ask.path, guard.visitorToken(ask))),
    submit: {
      from: "visitor",
      async run(submission) {
        const redeemed = await identity.members.redeemLink(submission.pathPart);
        const opened = redeemed && (await accounts.openSession(submission.asker, redeemed.userId));
        if (!opened) {
          log.info("console_link_refused", { client_address: submission.asker.clientAddress });
          return deadLink();
        }
        log.info("console_signed_in", { by: redeemed.purpose, user_id: redeemed.userId });
        for (const line of opened.cookies) submission.setCookie(line);
        if (redeemed.purpose === "sign-in") return redirectReply("/console");
        tickets.give(submission, opened.session);
        return redirectReply("/console/password");
      },
    },
  };
}

function linkPage(path: string, formToken: string) {
  return layout({
    title: "Welcome",
    narrow: true,
    content: html`<section class="card">
<h1>Welcome to Bursar</h1>
<p>This link signs you in. It works once, so the button below uses it up.</p>
<form class="fields" method="post" action="${path}">
${formTokenField(formToken)}
<button autofocus>Continue</button>
</form>
</section>`,
  });
}

/** One answer for unknown, used, expired and replaced: nothing is learned by trying. */
function deadLink(): Reply {
  return pageReply(
    messagePage({
      title: "This link no longer works",
      text: "A link works once and for three days, and a newer one replaces it. Ask whoever runs this Bursar for a new one:",
      detail: command("member link --email you@example.com"),
      next: { href: "/console", label: "Sign in with a password" },
    }),
    410,
  );
}
