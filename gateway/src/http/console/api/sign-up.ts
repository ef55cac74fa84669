import { z } from "zod";
import { organizationsNamedBy } from "../../../catalog/index.ts";
import { MAX_EMAIL_CHARS } from "../../../identity/index.ts";
import { type Clock, sign, verifySignature } from "../../../kit/index.ts";
import { busy, forbidden, invalidInput, mailBusy, refused, saveAct } from "../../../operations/index.ts";
import type { OpenedSession } from "../accounts/accounts-session.ts";
import type { Ask } from "../ask.ts";
import type { ConsoleParts } from "../parts.ts";
import { prepareFirstPassword } from "./newcomer.ts";
import type { Command } from "./operation.ts";
import { ConsoleProblem } from "./problem.ts";

type WantedSignUp = { readonly email: string; readonly name: string; readonly organization: string };

const PURPOSE = "console-sign-up";
const LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_TOKEN_CHARS = 4_000;

type Payload = WantedSignUp & { readonly expiresAtMs: number };

/**
 * A sign-up request, sent to the address that the stranger gave: nothing is stored until someone comes back with the
 * link, so strangers cannot fill the database. It works once, since afterwards the address has an account.
 */
function createSignUpLinks({ secret, clock }: { secret: string; clock: Clock }) {
  return {
    create({ email, name, organization }: WantedSignUp): string {
      const payload: Payload = { email, name, organization, expiresAtMs: clock.nowMs() + LIFETIME_MS };
      const text = Buffer.from(JSON.stringify(payload)).toString("base64url");
      return `${text}.${sign(secret, PURPOSE, text)}`;
    },
    /** Null if we did not sign it, or if it has expired. */
    read(token: string): WantedSignUp | null {
      const [text = "", signature = ""] = token.length > MAX_TOKEN_CHARS ? [] : token.split(".");
      if (!verifySignature({ secret, purpose: PURPOSE, payload: text, signature })) return null;
      const payload = JSON.parse(Buffer.from(text, "base64url").toString()) as Payload;
      return clock.nowMs() < payload.expiresAtMs ? payload : null;
    },
  };
}

const DEAD =
  "This link no longer works. It works once, for a day. If you already have an account, sign in; otherwise sign up again.";

/** Shown only if there is no mail to prove an address with: see docs/configuration.md. */
const TAKEN = "This address cannot be used for a new account. If it is yours, sign in.";

function signUpOf({ accounts, identity, catalog, config, billing, log }: ConsoleParts) {
  const keptSlugs = organizationsNamedBy(catalog);
  return {
    check(wanted: WantedSignUp) {
      if (!config.service.signUpIsOpen) throw forbidden("New accounts are by invitation only.");
      const checked = identity.people.checkSignUp(wanted);
      if (checked.outcome !== "ok") throw refused(checked, "account", {});
    },
    /** Creates the account and its first session, which `open` opens; null if the address already has an account. */
    async make(
      wanted: WantedSignUp & { isProved: boolean },
      open: (userId: string) => Promise<OpenedSession | null>,
    ): Promise<OpenedSession | null> {
      const made = await accounts.together(async (client) => {
        const signUp = { ...wanted, plan: config.signUpPlan, keptSlugs };
        const signedUp = await identity.people.signUp(signUp, client);
        if (signedUp.outcome !== "ok") return signedUp;
        const { id, name, slug, plan } = signedUp.organization;
        await saveAct(
          { pool: client },
          {
            chains: [id],
            actor: { kind: "person", id: signedUp.userId, name: wanted.name },
            face: "console",
            operation: "organization.sign-up",
            object: { kind: "organization", id, name },
            before: null,
            after: { name, slug, plan },
          },
        );
        return { ...signedUp, opened: await open(signedUp.userId) };
      });
      if (made.outcome === "has_account") return null;
      if (made.outcome !== "ok") throw refused(made, "account", {});
      const ids = { org_id: made.organization.id, user_id: made.userId };
      // The next run of renewals makes up for it; the account exists, and a second attempt would be refused.
      await billing
        .startPlan(made.organization.id)
        .catch((error: unknown) => log.error("console_plan_not_started", { ...ids, error }));
      log.info("console_signed_up", ids);
      return made.opened;
    },
  };
}

export function signUpCommand(parts: ConsoleParts): Command<"sign-up"> {
  const { config, identity, log, mail, signUpBrake } = parts;
  const signUp = signUpOf(parts);
  const links = createSignUpLinks({ secret: config.secret, clock: parts.clock });

  /** Returns a function that takes the attempt back. */
  function brake(ask: Ask, email: string): () => void {
    const attempt = signUpBrake.begin({ clientAddress: ask.asker.clientAddress, target: email });
    if (attempt.outcome === "go") return attempt.succeed;
    log.warn("console_sign_up_braked", { client_address: ask.asker.clientAddress });
    throw busy("Too many accounts were created from here. Try again later.", attempt.retryAfterSeconds);
  }

  return {
    who: "anyone",
    input: z.strictObject({
      name: z.string(),
      email: z.string().max(MAX_EMAIL_CHARS),
      password: z.string().optional(),
      organization: z.string(),
    }),
    async run(ask, { password, ...given }) {
      const wanted = { ...given, email: given.email.trim().toLowerCase() };
      signUp.check(wanted);
      const takeBack = brake(ask, wanted.email);
      if (mail) {
        // One email either way, so that neither the answer nor its timing reveals who has an account.
        const isKnown = await identity.people.hasAccount(wanted.email);
        const link = isKnown ? "" : `${config.publicUrl}/console/sign-up/${links.create(wanted)}`;
        const message = { to: wanted.email, ...messageFor(config.publicUrl, link) };
        await mail.send(message).catch(() => {
          takeBack();
          throw mailBusy();
        });
        return { mailed: true };
      }
      const keep = await prepareFirstPassword(parts, password);
      const opened = await signUp.make({ ...wanted, isProved: false }, (userId) => keep(ask.asker, userId));
      if (!opened) throw invalidInput("email", TAKEN);
      ask.setCookies(opened.cookies);
      return { mailed: false };
    },
  };
}

function messageFor(publicUrl: string, link: string): { subject: string; text: string } {
  return link === ""
    ? {
        subject: "You already have a Bursar account",
        text: `Someone, probably you, tried to create a Bursar account with this address. There already is one: sign in at ${publicUrl}/console\n\nIf it was not you, you can ignore this email.\n`,
      }
    : {
        subject: "Finish your Bursar account",
        text: `Someone, probably you, asked to create a Bursar account with this address. To finish, open this link within a day:\n${link}\n\nIf it was not you, you can ignore this email.\n`,
      };
}

/** Someone who comes back with the link has proved the address; they choose a password next. */
export function confirmSignUpCommand(parts: ConsoleParts): Command<"confirm-sign-up"> {
  const { accounts, config, tickets } = parts;
  const signUp = signUpOf(parts);
  const links = createSignUpLinks({ secret: config.secret, clock: parts.clock });
  return {
    who: "anyone",
    input: z.strictObject({ token: z.string() }),
    async run(ask, { token }) {
      const wanted = links.read(token);
      if (wanted) signUp.check(wanted);
      const opened =
        wanted &&
        (await signUp.make({ ...wanted, isProved: true }, (userId) =>
          accounts.openSession(ask.asker, userId),
        ));
      if (!opened) throw new ConsoleProblem({ code: "not_found", message: DEAD });
      ask.setCookies(opened.cookies);
      tickets.give(ask, opened.session);
      return {};
    },
  };
}
