import { moment, when } from "./format.ts";

/** A moment in a list; in full on hover, and on paper. */
export function When({ at }: { at: string }) {
  const whole = moment(at);
  return (
    <time className="when" dateTime={at} title={whole}>
      <span>{when(at)}</span>
    </time>
  );
}
