import type { Ask, Submission } from "./ask.ts";
import { billingPath, parseCredits } from "./credits-wanted.ts";
import { formatMinutes } from "./format.ts";
import type { ConsoleParts } from "./parts.ts";
import { pageReply, type Reply, redirectReply, retryLater } from "./reply.ts";
import type { Route } from "./route.ts";
import { signInPage } from "./sign-in-page.ts";

const MAX_EMAIL_CHARS = 254;

/** One sentence for all of it: it must not tell which addresses have an account. */
const REFUSED = "That e-mail and password do not belong together.";

export const BUSY = "Many people are signing in. Try again in a moment.";
export const BUSY_SECONDS = 5;

export function showSignIn(parts: ConsoleParts, ask: Ask): Reply {
  const credits = parseCredits(ask.query.get("credits"));
  return pageReply(signInPage({ formToken: parts.guard.visitorToken(ask), credits }));
}

export function signInRoute(parts: ConsoleParts): Route {
  return {
    path: /^\/console\/sign-in$/,
    show: async () => redirectReply("/console"),
    submit: { from: "visitor", run: (submission) => signIn(parts, submission) },
  };
}

async function signIn(parts: ConsoleParts, submission: Submission): Promise<Reply> {
  const { accounts, brake, guard, log } = parts;
  const { form, asker } = submission;
  const { clientAddress } = asker;
  const credits = parseCredits(form.field("credits"));
  const email = form.field("email").trim().toLowerCase().slice(0, MAX_EMAIL_CHARS);

  function again(status: number, problem: string, retryAfterSeconds?: number): Reply {
    const formToken = guard.visitorToken(submission);
    const reply = pageReply(signInPage({ formToken, email, problem, credits }), status);
    return retryAfterSeconds === undefined ? reply : retryLater(reply, retryAfterSeconds);
  }

  const attempt = brake.begin({ clientAddress, email });
  if (attempt.outcome === "wait") {
    log.warn("console_sign_in_braked", { client_address: clientAddress });
    const minutes = formatMinutes(attempt.retryAfterSeconds);
    return again(
      429,
      `Too many attempts. Try again in ${minutes}, or ask for a new link.`,
      attempt.retryAfterSeconds,
    );
  }
  const result = await accounts.signIn(asker, { email, password: form.field("password") });
  if (result.outcome === "refused") {
    log.info("console_sign_in_refused", { client_address: clientAddress });
    return again(401, REFUSED);
  }
  attempt.succeed();
  if (result.outcome === "busy") return again(503, BUSY, BUSY_SECONDS);
  log.info("console_signed_in", { by: "password", user_id: result.userId });
  for (const line of result.cookies) submission.setCookie(line);
  return redirectReply(credits === null ? "/console" : billingPath(credits));
}

export function signOutRoute({ accounts, log }: ConsoleParts): Route {
  return {
    path: /^\/console\/sign-out$/,
    show: async () => redirectReply("/console"),
    submit: {
      from: "session",
      async run(submission) {
        for (const line of await accounts.signOut(submission.asker)) submission.setCookie(line);
        log.info("console_signed_out", { user_id: submission.signedIn.userId });
        return redirectReply("/console");
      },
    },
  };
}
