import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

/** An email as it came over the wire. */
type TakenEmail = { readonly from: string; readonly to: readonly string[]; readonly data: string };

/** A small SMTP server: accepts emails, remembers them, and misbehaves when told to. */
export type TestSmtp = {
  readonly url: string;
  readonly emails: readonly TakenEmail[];
  /** The next commands of that name get these replies, one after another. */
  answer(command: "HELLO" | "MAIL" | "RCPT" | "DATA" | "AUTH", ...replies: string[]): void;
  /** Every command of that name gets this reply, unless it is undefined; an empty text closes the connection. */
  decide(
    command: "HELLO" | "EHLO" | "MAIL" | "RCPT" | "DATA",
    reply: (line: string) => string | undefined,
  ): void;
  /** Resolves once this many emails have arrived. */
  received(count: number): Promise<void>;
  readonly connections: number;
  /** First four characters of every command so far. */
  readonly commands: readonly string[];
  stop(): void;
};

export async function startTestSmtp(): Promise<TestSmtp> {
  const emails: TakenEmail[] = [];
  const commands: string[] = [];
  const replies = new Map<string, string[]>();
  const rules = new Map<string, (line: string) => string | undefined>();
  const waiting: { count: number; resolve(): void }[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  function take(message: TakenEmail): void {
    emails.push(message);
    for (const one of waiting) if (emails.length >= one.count) one.resolve();
  }

  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    const plannedFor = (command: string, line: string) =>
      replies.get(command)?.shift() ?? rules.get(command)?.(line);
    converse(socket, { plannedFor, commands, take });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    commands,
    answer: (command, ...given) => void replies.set(command, [...(replies.get(command) ?? []), ...given]),
    decide: (command, reply) => void rules.set(command, reply),
    received: (count) =>
      emails.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    get connections() {
      return connections;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const ANSWERS: Readonly<Record<string, string>> = {
  EHLO: "250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME",
  AUTH: "235 in",
  DATA: "354 go on",
  STAR: "502 nothing is encrypted here",
};

function converse(
  socket: Socket,
  told: {
    plannedFor(command: string, line: string): string | undefined;
    commands: string[];
    take(message: TakenEmail): void;
  },
): void {
  let buffer = "";
  let from = "";
  let to: string[] = [];
  let isData = false;
  const say = (line: string) => void (line === "" ? socket.destroy() : socket.write(`${line}\r\n`));
  say(told.plannedFor("HELLO", "") ?? "220 test ESMTP");

  /** The reply to a command; also collects the email's parts. */
  function answerTo(line: string): string {
    const verb = line.slice(0, 4).toUpperCase();
    told.commands.push(verb);
    const planned = told.plannedFor(verb, line);
    if (planned !== undefined) return planned;
    if (verb === "MAIL") {
      from = line;
      to = [];
    }
    if (verb === "RCPT") to.push(line.replace(/^RCPT TO:<(.*)>.*$/i, "$1"));
    isData = verb === "DATA";
    return ANSWERS[verb] ?? "250 fine";
  }

  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    buffer += chunk;
    for (;;) {
      const end = isData ? "\r\n.\r\n" : "\r\n";
      const at = buffer.indexOf(end);
      if (at < 0) return;
      const part = buffer.slice(0, at);
      buffer = buffer.slice(at + end.length);
      if (isData) {
        isData = false;
        told.take({ from, to, data: part });
        say("250 taken");
      } else {
        say(answerTo(part));
        if (part.toUpperCase() === "QUIT") socket.end();
      }
    }
  });
}
