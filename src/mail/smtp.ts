import type { Transporter } from "nodemailer";
import { isLoopback, lazily } from "../kit/index.ts";
import type { Letter, MailSettings } from "./letter.ts";

/** Why a letter was not taken: a word of ours, since the server's own words may repeat addresses. */
export type PostProblem = {
  readonly reason: string;
  /** The server will say the same of the same letter again. */
  readonly isFinal: boolean;
  /** Final, and about whom the letter is for: the address does not exist, or wants nothing. */
  readonly isRefusal: boolean;
  /**
   * Server: it is away, or wants nobody's letters now, and the next one would fare no better. Unclear: it broke off,
   * be it over this letter or not.
   */
  readonly whose: "letter" | "server" | "unclear";
};

export type Post = {
  /** Null: the server took it. */
  send(letter: Letter): Promise<PostProblem | null>;
  close(): void;
};

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const MAX_SUBJECT_CHARS = 200;

/** The library is loaded, and the server first spoken to, when there is a letter. */
export function openSmtp({ url, from }: MailSettings): Post {
  let opened: Transporter | undefined;

  const transporter = lazily(async () => {
    const { createTransport } = await import("nodemailer");
    opened = createTransport({
      url,
      // A setting of the same name in the address goes before this one.
      requireTLS: hasSecret(url),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // Nothing of a letter is ever read from a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });

  return {
    async send({ to, subject, text }) {
      try {
        const transport = await transporter();
        // An object is taken as one address; a text would be read as a list of them.
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

/** Whoever sits in between could leave out the server's offer to encrypt, and read the password and all that follows. */
function hasSecret(url: string): boolean {
  const { hostname, password } = new URL(url);
  return password !== "" && !isLoopback(hostname.toLowerCase().replace(/^\[|\]$/g, ""));
}

/** Nor a word in code (`=?utf-8?Q?…?=`): a reader's program would make of it what no name may have. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("=?", "= ?")
    .slice(0, MAX_SUBJECT_CHARS);
}

const WORD = /^[A-Z0-9_]{1,30}$/;

/** It closes the connection, whatever it was asked. */
const CLOSING = 421;
/** What is said before that is not about a letter. */
const ABOUT_LETTER: readonly unknown[] = ["MAIL FROM", "RCPT TO", "DATA"];
/** Nor what is said before this about whom the letter is for. */
const ABOUT_ADDRESS: readonly unknown[] = ["RCPT TO", "DATA"];
/** An end in the middle. Where commands go out together, a server that closes at one of them is reported so as well. */
const BROKEN_OFF: readonly unknown[] = ["ECONNECTION", "ECONNRESET", "EPIPE"];
/** Of the network or its rules, such as a limit of the day: about the sender, and the operator's to mend. */
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
  // The library did not even ask the server.
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
  // Silence in the middle: the server may have taken the letter, which is then not sent again and again.
  if (timeoutType === "SOCKET_TIMEOUT") return "letter";
  if (ABOUT_ADDRESS.includes(command)) return responseCode === CLOSING ? "unclear" : "letter";
  return command === "CONN" && BROKEN_OFF.includes(originalCode ?? code) ? "unclear" : "server";
}

function reasonOf(word: string, status: number | null): string {
  if (word === "ETLS") return "ETLS: the connection could not be encrypted";
  return status === null ? word : `${word} ${status}`;
}
