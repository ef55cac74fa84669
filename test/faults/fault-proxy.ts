import { connect, createServer, type Server, type Socket } from "node:net";

/** Seen from the proxy, between client and server. */
type Direction = "to_server" | "to_client";

export type Fault =
  | { readonly kind: "pass" }
  /** Delays each piece by this much, in both directions. */
  | { readonly kind: "latency"; readonly delayMs: number }
  /** The limit per connection, for both directions together. */
  | { readonly kind: "bandwidth"; readonly bytesPerSecond: number }
  /** Delivers nothing and closes nothing; what was sent meanwhile arrives once the link passes again. */
  | { readonly kind: "black_hole" }
  /** Open connections lead nowhere for good, without being closed; so do new ones, until the link passes again. */
  | { readonly kind: "half_open" }
  /** Resets open connections and every new one. */
  | { readonly kind: "reset" }
  /** Resets a connection once it has carried this many bytes in this direction since the fault began. */
  | { readonly kind: "cut"; readonly direction: Direction; readonly afterBytes: number };

export type ProxyTarget = { readonly host: string; readonly port: number } | { readonly path: string };

/**
 * A TCP proxy whose link can be made to fail while it runs. Put it between a gateway and PostgreSQL, an upstream or a
 * client.
 */
export type FaultProxy = {
  readonly port: number;
  readonly open: number;
  /** Takes effect now, for existing and future connections. */
  set(fault: Fault): void;
  /**
   * Waits for a client that sends this text: the bytes are delivered, the server's answer is not, and the connection is
   * reset. Works once; resolves when it has happened.
   */
  cutAnswerTo(text: string): Promise<void>;
  /**
   * Waits for a client that sends this text and withholds the bytes, even if the client disconnects. Works once;
   * resolves, when it has them, to the function that delivers them.
   */
  keepBack(text: string): Promise<() => void>;
  close(): Promise<void>;
};

const PASS: Fault = { kind: "pass" };

export async function startFaultProxy(target: ProxyTarget): Promise<FaultProxy> {
  const links = new Set<Link>();
  let fault: Fault = PASS;
  let trap: Trap | null = null;

  function springs(bytes: Uint8Array): Trap | null {
    if (trap === null || Buffer.from(bytes).indexOf(trap.text) < 0) return null;
    const sprung = trap;
    trap = null;
    return sprung;
  }

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const link = createLink({ client, target, springs, ended: () => links.delete(link) });
    links.add(link);
    link.set(fault);
  });
  const port = await listen(server);
  return {
    port,
    get open() {
      return links.size;
    },
    set(next) {
      fault = next;
      for (const link of links) link.set(next);
    },
    cutAnswerTo: (text) =>
      new Promise((sprung) => {
        trap = { text, sprung, kept: null };
      }),
    keepBack: (text) =>
      new Promise((sprung) => {
        const kept = Promise.withResolvers<void>();
        trap = { text, sprung: () => sprung(kept.resolve), kept: kept.promise };
      }),
    async close() {
      for (const link of links) link.reset();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** `kept`: how long the bytes that triggered the trap are withheld; null if their answer is cut instead. */
type Trap = { readonly text: string; readonly kept: Promise<void> | null; sprung(): void };

type Link = { set(fault: Fault): void; reset(): void };

/**
 * One connection to the client and its counterpart to the server. At most one piece per direction is buffered here; the
 * rest waits in the kernel.
 */
function createLink(input: {
  client: Socket;
  target: ProxyTarget;
  springs(bytes: Uint8Array): Trap | null;
  ended(): void;
}): Link {
  const { client } = input;
  let fault: Fault = PASS;
  let carriedBytes = { to_server: 0, to_client: 0 };
  let trap: Trap | null = null;
  let isOver = false;
  const upstream = connect({ ...input.target, allowHalfOpen: true });
  const waiting = new Set<() => void>();

  function end(): void {
    if (isOver) return;
    isOver = true;
    input.ended();
    for (const wake of waiting) wake();
    client.resetAndDestroy();
    upstream.resetAndDestroy();
  }

  async function passes(bytes: Uint8Array, direction: Direction): Promise<Uint8Array | null> {
    while (fault.kind === "black_hole" && !isOver) await new Promise<void>((wake) => waiting.add(wake));
    if (fault.kind === "latency") await Bun.sleep(fault.delayMs);
    if (fault.kind === "bandwidth") await Bun.sleep((bytes.length / fault.bytesPerSecond) * 1000);
    if (fault.kind === "half_open") return null;
    if (direction === "to_server") {
      trap ??= input.springs(bytes);
      if (trap?.kept) {
        trap.sprung();
        await trap.kept;
        trap = null;
      }
    } else if (trap !== null && trap.kept === null) {
      end();
      trap.sprung();
      return null;
    }
    if (fault.kind !== "cut" || fault.direction !== direction) return bytes;
    return bytes.subarray(0, Math.max(0, fault.afterBytes - carriedBytes[direction]));
  }

  function carry(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", async (piece: Buffer) => {
      from.pause();
      const bytes = await passes(piece, direction);
      if (isOver) return;
      if (bytes !== null) {
        carriedBytes[direction] += bytes.length;
        const isTaken = to.write(bytes);
        if (bytes.length < piece.length) return to.write("", end);
        if (!isTaken) await new Promise<void>((wake) => to.once("drain", wake));
      }
      from.resume();
    });
    from.on("end", () => {
      if (fault.kind !== "black_hole" && fault.kind !== "half_open" && !trap?.kept) to.end();
    });
    from.on("error", () => {
      if (!trap?.kept) end();
    });
    from.on("close", () => {
      if (client.destroyed && upstream.destroyed) end();
    });
  }

  carry(client, upstream, "to_server");
  carry(upstream, client, "to_client");
  upstream.on("connect", () => client.resume());

  return {
    reset: end,
    set(next) {
      if (fault.kind === "half_open" && next.kind !== "reset") return;
      fault = next;
      carriedBytes = { to_server: 0, to_client: 0 };
      for (const wake of waiting) wake();
      waiting.clear();
      if (next.kind === "reset") end();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      resolve(address.port);
    });
  });
}
