import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** A self-signed certificate for `localhost`; the key is used in tests only. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLMnWsjqjIv8juX8L
cFfesif+CYKArbtt95m8ho0tFAahRANCAAROGUTOCR/x8cYEhxT00OltdtrBDQmZ
5kQ5w6lZziWTyhmkRx0VbNRjxxkfmW7gvyvX5VZjgdHd7WYAcmCsco2H
-----END PRIVATE KEY-----`;

export const LOCALHOST_CA = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUEzHB8zbEy6JRktUH5BlyQb7aEmEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjAyNTQxOVoYDzIxMjYxMDIz
MDI1NDE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAROGUTOCR/x8cYEhxT00OltdtrBDQmZ5kQ5w6lZziWTyhmkRx0VbNRj
xxkfmW7gvyvX5VZjgdHd7WYAcmCsco2Ho2kwZzAdBgNVHQ4EFgQUITIpGvr7bjGs
Zt7r6HGWFicSJi4wHwYDVR0jBBgwFoAUITIpGvr7bjGsZt7r6HGWFicSJi4wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgK4E8ezgnYIGWyyRxYqdOyLcmLHSAjZgWfieiTm5q1eACIQDnNX3AuGMf
llxlpspUgWqyeOB4ZTTCRRxQp4fSMl/jzw==
-----END CERTIFICATE-----`;

const SSL_REQUEST = 80_877_103;
const ASK_PASSWORD = Uint8Array.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);

const REFUSAL = "SFATAL\0C28P01\0Mnobody is let in\0\0";

/** How a client tried to connect to a database, and the credentials it sent. */
export type Knock = {
  readonly over: "clear" | "tls";
  readonly user: string | undefined;
  readonly database: string | undefined;
  readonly options: string | undefined;
  readonly password: string;
  /** Startup parameters for which a pooler in between would refuse the connection. */
  readonly unwelcome: readonly string[];
};

/** Startup parameters that poolers accept; `options` is set by the operator. */
const WELCOME = ["user", "database", "application_name", "client_encoding", "DateStyle", "options"];

export type Door = {
  readonly port: number;
  /** The attempts since the last call. */
  takeKnocks(): Knock[];
  close(): void;
};

/**
 * A fake server that speaks the PostgreSQL protocol up to the password, with TLS on request, and refuses every login.
 */
export async function openDoor(): Promise<Door> {
  let knocks: Knock[] = [];
  const note = (knock: Knock) => void knocks.push(knock);
  const behindTls = createTlsServer({ key: KEY, cert: LOCALHOST_CA }, (socket) =>
    receive(socket, "tls", note),
  );
  // A certificate that is not trusted is the client's concern.
  behindTls.on("tlsClientError", () => {});
  const tlsPort = await listen(behindTls);
  const door = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (first: Buffer) => {
      if (first.readInt32BE(4) !== SSL_REQUEST) return receive(socket, "clear", note, first);
      const inner = connect(tlsPort, "127.0.0.1").on("error", () => {});
      socket.pipe(inner).pipe(socket);
      socket.write("S");
    });
  });
  return {
    port: await listen(door),
    takeKnocks() {
      const taken = knocks;
      knocks = [];
      return taken;
    },
    close() {
      door.close();
      behindTls.close();
    },
  };
}

function receive(socket: Socket, over: Knock["over"], note: (knock: Knock) => void, first?: Buffer): void {
  let startup = first;
  if (startup) socket.write(ASK_PASSWORD);
  socket.on("error", () => {});
  socket.on("data", (data: Buffer) => {
    if (startup === undefined) {
      startup = data;
      socket.write(ASK_PASSWORD);
      return;
    }
    const said = wordsOf(startup);
    const password = data.subarray(5, -1).toString();
    const unwelcome = Object.keys(said).filter((name) => name !== "" && !WELCOME.includes(name));
    const { user, database, options } = said as Partial<Knock>;
    note({ over, user, database, options, password, unwelcome });
    // Without a proper refusal, the client would retry for five seconds.
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + REFUSAL.length);
    socket.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(REFUSAL)]));
  });
}

function wordsOf(startup: Buffer): Record<string, string> {
  const words = startup.subarray(8).toString().split("\0");
  const said: Record<string, string> = {};
  for (let i = 0; i + 1 < words.length; i += 2) said[words[i] ?? ""] = words[i + 1] ?? "";
  return said;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
