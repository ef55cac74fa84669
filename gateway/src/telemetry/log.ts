import { type LineSink, stderrSink } from "./line-sink.ts";
import { createRedactor, escapeControls } from "./redact.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** `time`, `level` and `event` are set by the log itself. */
type LogFields = Record<string, unknown> & { time?: never; level?: never; event?: never };

/** `event` is a short constant in snake_case; everything that varies is a field. */
export type Log = {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
};

type LogOptions = {
  level: LogLevel;
  /** The configured prefix of API keys: everything that begins with it is redacted. */
  keyPrefix: string;
  sink?: LineSink;
  nowMs?: () => number;
};

const NOTHING = (): void => {};

export const silentLog: Log = {
  debug: NOTHING,
  info: NOTHING,
  warn: NOTHING,
  error: NOTHING,
};

export function createLog(options: LogOptions): Log {
  if (options.level === "silent") return silentLog;
  const threshold = LOG_LEVELS.indexOf(options.level);
  const redact = createRedactor(options.keyPrefix);
  const { sink = stderrSink(), nowMs = Date.now } = options;

  function writerFor(level: LogLevel): Log["info"] {
    if (LOG_LEVELS.indexOf(level) < threshold) return NOTHING;
    return (event, fields) => {
      const line: Record<string, unknown> = { time: new Date(nowMs()).toISOString(), level, event };
      try {
        for (const name in fields) line[name] = redact(fields[name], name);
        sink.write(`${escapeControls(JSON.stringify(line))}\n`);
      } catch {
        // A field that cannot be serialized (a getter that throws) must not end the request it describes.
        sink.write(`${JSON.stringify({ time: line["time"], level, event, unwritable: true })}\n`);
      }
      if (level === "error") sink.flush();
    };
  }

  return {
    debug: writerFor("debug"),
    info: writerFor("info"),
    warn: writerFor("warn"),
    error: writerFor("error"),
  };
}
