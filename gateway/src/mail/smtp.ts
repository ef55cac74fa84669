import type { Transporter } from "nodemailer";
import { isLoopback, lazily } from "../kit/index.ts";
import type { Email, MailSettings } from "./email.ts";

/** Why an email was not accepted. `reason` is our own word, since the server's text may repeat addresses. */
export type PostProblem = {
  readonly reason: string;
  /** True if the server would reply the same to the same email again. */
  readonly isFinal: boolean;
  /** True if it is final and about the recipient: the address does not exist or does not accept it. */
  readonly isRefusal: boolean;
  /**
   * `server`: it is away or accepts no emails at present, so the next one would fail, too. `unclear`: it broke off the
   * connection, perhaps because of this email.
   */
  readonly whose: "letter" | "server" | "unclear";
};

export type Post = {
  /** Null if the server accepted it. */
  send(message: Email): Promise<PostProblem | null>;
  close(): void;
};

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const MAX_SUBJECT_CHARS = 200;

/** The library is loaded, and the server contacted, when the first email is sent. */
export function openSmtp({ url, from }: MailSettings): Post {
  let opened: Transporter | undefined;

  const transporter = lazily(async () => {
    const { createTransport } = await import("nodemailer");
    opened = createTransport({
      url,
      // A parameter of the same name in the URL takes precedence.
      requireTLS: hasSecret(url),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // No part of an email may be loaded from a file or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });

  return {
    async send({ to, subject, text }) {
      try {
        const transport = await transporter();
        // An object is taken as one address; a string would be parsed as a list.
        await transport.sendMail({
          from,
          to: { name: "", address: to },
          subject: oneLine(subject),
          text,
        });
        return null;
      } catch (error) {
        return problemOf(error);
      }
    },
    close() {
      opened?.close();
    },
  };
}

/**
 * True if the password must be protected: someone in between could suppress the server's offer of TLS and read the
 * password and everything after it.
 */
function hasSecret(url: string): boolean {
  const { hostname, password } = new URL(url);
  return password !== "" && !isLoopback(hostname.toLowerCase().replace(/^\[|\]$/g, ""));
}

/**
 * Also breaks up encoded words (`=?utf-8?Q?…?=`): a mail client would decode them into characters that names must not
 * contain.
 */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("=?", "= ?")
    .slice(0, MAX_SUBJECT_CHARS);
}

const WORD = /^[A-Z0-9_]{1,30}$/;

/** The server closes the connection, whatever the command was. */
const CLOSING = 421;
/** Replies to earlier commands are not about an email. */
const ABOUT_LETTER: readonly unknown[] = ["MAIL FROM", "RCPT TO", "DATA"];
/** Replies to earlier commands are not about the recipient. */
const ABOUT_ADDRESS: readonly unknown[] = ["RCPT TO", "DATA"];
/**
 * The connection ended midway. With pipelined commands, a server that closes at one of them is reported like this, too.
 */
const BROKEN_OFF: readonly unknown[] = ["ECONNECTION", "ECONNRESET", "EPIPE"];
/**
 * Enhanced status codes about the network or a policy, such as a daily limit: they concern the sender, and the operator
 * must fix them.
 */
const ABOUT_SENDER = /^\d{3}[ -]5\.[47]\./;

type SmtpError = {
  readonly [name in
    | "code"
    | "originalCode"
    | "timeoutType"
    | "response"
    | "responseCode"
    | "command"]?: unknown;
};

function problemOf(error: unknown): PostProblem {
  const { code, response, responseCode, command } = error as SmtpError;
  const status = typeof responseCode === "number" ? responseCode : null;
  const word = typeof code === "string" && WORD.test(code) ? code : "unknown";
  // The library refused the address without asking the server.
  if (word === "EENVELOPE" && status === null) {
    return { reason: word, isFinal: true, isRefusal: true, whose: "letter" };
  }
  const isFinal = status !== null && status >= 500 && status < 600 && ABOUT_LETTER.includes(command);
  return {
    reason: reasonOf(word, status),
    isFinal,
    isRefusal: isFinal && command === "RCPT TO" && !ABOUT_SENDER.test(String(response)),
    whose: whoseProblem(error as SmtpError),
  };
}

function whoseProblem({ code, originalCode, timeoutType, responseCode, command }: SmtpError) {
  // Silence midway: the server may have accepted the email, so it must not be sent over and over. Counted against the
  // email, its retries are limited.
  if (timeoutType === "SOCKET_TIMEOUT") return "letter";
  if (ABOUT_ADDRESS.includes(command)) return responseCode === CLOSING ? "unclear" : "letter";
  return command === "CONN" && BROKEN_OFF.includes(originalCode ?? code) ? "unclear" : "server";
}

function reasonOf(word: string, status: number | null): string {
  if (word === "ETLS") return "ETLS: the connection could not be encrypted";
  return status === null ? word : `${word} ${status}`;
}
