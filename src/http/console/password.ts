import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "./accounts-library.ts";
import type { SessionSubmission } from "./ask.ts";
import { messagePage } from "./message-page.ts";
import type { ConsoleParts } from "./parts.ts";
import { passwordPage } from "./password-page.ts";
import { pageReply, type Reply, redirectReply, retryLater } from "./reply.ts";
import type { Route } from "./route.ts";
import { BUSY, BUSY_SECONDS } from "./sign-in.ts";

/** Choosing a password, for who came by a set-password link and nobody else. */
export function passwordRoute(parts: ConsoleParts): Route {
  const { guard, tickets } = parts;
  return {
    path: /^\/console\/password$/,
    async show(ask) {
      const session = await ask.session();
      if (!session || !tickets.holds(ask, session)) return redirectReply("/console");
      return pageReply(passwordPage({ formToken: guard.sessionToken(session), email: session.email }));
    },
    submit: {
      from: "session",
      run: async (submission) =>
        tickets.holds(submission, submission.signedIn) ? choose(parts, submission) : overdue(),
    },
  };
}

async function choose(parts: ConsoleParts, submission: SessionSubmission): Promise<Reply> {
  const { accounts, guard, log, tickets } = parts;
  const { form, signedIn } = submission;

  function again(problem: string, status: number): Reply {
    const formToken = guard.sessionToken(signedIn);
    return pageReply(passwordPage({ formToken, email: signedIn.email, problem }), status);
  }

  const password = form.field("password");
  const problem = problemOf(password, form.field("repeated"));
  if (problem !== null) return again(problem, 400);
  const { outcome } = await accounts.choosePassword(signedIn, password);
  if (outcome === "busy") return retryLater(again(BUSY, 503), BUSY_SECONDS);
  if (outcome === "gone") return overdue();
  log.info("console_password_chosen", { user_id: signedIn.userId });
  tickets.take(submission);
  const opened = await accounts.openSession(submission.asker, signedIn.userId);
  for (const line of opened?.cookies ?? []) submission.setCookie(line);
  return redirectReply("/console");
}

function problemOf(password: string, repeated: string): string | null {
  if (password.length < MIN_PASSWORD_CHARS) return `Take at least ${MIN_PASSWORD_CHARS} characters.`;
  if (password.length > MAX_PASSWORD_CHARS) return `Take at most ${MAX_PASSWORD_CHARS} characters.`;
  return password === repeated ? null : "The two are not the same.";
}

function overdue(): Reply {
  const text = "A password is chosen within 15 minutes of opening the link. Ask for a new link.";
  return pageReply(messagePage({ title: "That took too long", text }), 403);
}
