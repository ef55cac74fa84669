import { setPriority } from "node:os";
import { join } from "node:path";
import { type MadeFile, ProviderFailure } from "../../../gateway/src/contract/index.ts";
import { UnsentFailure } from "../../../gateway/src/outbound/index.ts";
import { createFrameReader, encodeFrame, framePieces } from "../media/frame.ts";
import type { RenderOrder } from "../media/renderer.ts";
import { decodeReply, type RenderReply } from "./render-reply.ts";

/** A child process that renders one job at a time. After it has ended it is replaced, never restarted. */
export type RenderProcess = {
  readonly pid: number;
  readonly hasEnded: boolean;
  /** Fails with an UnsentFailure if a stored file of the job could not be read. */
  render(job: RenderOrder): Promise<MadeFile>;
  /** Ends it at once, whatever it is doing; a running job fails. */
  end(): void;
};

/** The lowest priority: if a call needs the core as well, the call gets it, and rendering takes longer. */
const NICENESS = 19;
const WORKER = join(import.meta.dir, "render-worker");

export function startRenderProcess(): RenderProcess {
  const child = Bun.spawn([process.execPath, WORKER], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    cwd: import.meta.dir,
    // A session of its own: Linux shares cores between sessions first, and niceness only counts within one. In our
    // session, its CPU time would be held against the gateway despite its niceness.
    detached: true,
    // It decodes untrusted files, so it gets none of the gateway's keys and addresses.
    env: {},
  });
  child.unref();
  yieldToOthers(child.pid);
  let hasEnded = false;
  let settle: { resolve(reply: RenderReply): void; reject(error: ProviderFailure): void } | null = null;

  function endWith(failure: ProviderFailure): void {
    if (hasEnded) return;
    hasEnded = true;
    child.kill("SIGKILL");
    settle?.reject(failure);
  }

  const end = (internal: string) => endWith(crashed(internal));

  /** Writes no faster than the process reads, so that a large reference never accumulates in our memory. */
  async function send(job: RenderOrder): Promise<void> {
    try {
      for await (const piece of framePieces(encodeFrame(job))) {
        if (hasEnded) return;
        child.stdin.write(piece);
        await Promise.resolve(child.stdin.flush()).catch(() => {});
      }
    } catch (error) {
      const failure = unread(error);
      // Half a job was sent, so nothing after it would be understood.
      endWith(failure);
      throw failure;
    }
  }

  async function read(): Promise<void> {
    const reader = createFrameReader();
    for await (const chunk of child.stdout) {
      for (const value of reader.push(chunk)) settle?.resolve(decodeReply(value));
    }
  }
  read()
    .then(() => child.exited)
    .then((code) => end(`the render process ended with ${child.signalCode ?? code}`))
    .catch((error: unknown) => end(`the render process sent something else: ${String(error)}`));

  return {
    pid: child.pid,
    get hasEnded() {
      return hasEnded;
    },
    async render(job) {
      if (hasEnded || settle !== null) throw crashed("the render process is not free");
      const reply = new Promise<RenderReply>((resolve, reject) => {
        settle = { resolve, reject };
      });
      try {
        // If the process ended meanwhile, the reply says so.
        await Promise.race([reply, send(job)]);
        return fileOf(await reply);
      } finally {
        settle = null;
      }
    },
    end: () => end("the render process was ended"),
  };
}

/** Rendering must not slow down chat: if both need a core, the gateway gets it. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has already ended, or the system does not allow it: then it renders at normal priority.
  }
}

function fileOf(reply: RenderReply): MadeFile {
  switch (reply.outcome) {
    case "made":
      return reply.file;
    case "refused":
      throw new ProviderFailure("rejected", reply.publicMessage);
    case "failed":
      throw new ProviderFailure("unavailable", "The sandbox could not render this.", {
        internal: reply.internal,
        targetHealth: "up",
      });
  }
}

/** Nothing that the renderer did: the file's store may answer again in a moment. */
function unread(error: unknown): UnsentFailure {
  return new UnsentFailure("unavailable", "The reference media cannot be read now.", {
    internal: `the job could not be read: ${String(error)}`,
    targetHealth: "unknown",
  });
}

function crashed(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The sandbox's renderer broke off.", { internal });
}
