import { connect, createServer, type Server, type Socket } from "node:net";

/** Where bytes go; every fault is seen from the proxy in the middle. */
type Direction = "to_server" | "to_client";

export type Fault =
  | { readonly kind: "pass" }
  /** Each piece is this much later, in both directions. */
  | { readonly kind: "latency"; readonly delayMs: number }
  /** Both directions together, for each connection. */
  | { readonly kind: "bandwidth"; readonly bytesPerSecond: number }
  /** Nothing is delivered and nobody is told; what was sent meanwhile arrives when it passes again. */
  | { readonly kind: "black_hole" }
  /** Open connections lead nowhere from now on, for good, and nobody is told; new ones too until it passes again. */
  | { readonly kind: "half_open" }
  /** Open connections are reset, and so is every new one. */
  | { readonly kind: "reset" }
  /** A connection is reset once it has carried this many bytes in this direction since the fault began. */
  | { readonly kind: "cut"; readonly direction: Direction; readonly afterBytes: number };

export type ProxyTarget = { readonly host: string; readonly port: number } | { readonly path: string };

/** A TCP proxy whose link can be made to fail while it runs. */
export type FaultProxy = {
  readonly port: number;
  readonly open: number;
  /** From now on, for the connections there are and the ones to come. */
  set(fault: Fault): void;
  /**
   * Waits for a client that sends bytes with this text in them: they are delivered, the server's answer
   * is not, and the connection is reset. Once; resolves when it has happened.
   */
  cutAnswerTo(text: string): Promise<void>;
  /**
   * Waits for a client that sends bytes with this text in them, and keeps them back, even when the client has gone since.
   * Once; resolves when it has them, to what delivers them.
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

/** `kept` is for how long the bytes that sprung it are kept back; null where it is their answer that is cut. */
type Trap = { readonly text: string; readonly kept: Promise<void> | null; sprung(): void };

type Link = { set(fault: Fault): void; reset(): void };

/** One connection and its other half. At most one piece per direction waits here; the rest waits in the kernel. */
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
