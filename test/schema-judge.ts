import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020";
import Ajv4 from "ajv-draft-04";
import addFormats from "ajv-formats";

const OPTIONS = { strict: false, logger: false } as const;

const drafts = {
  "draft-04": withFormats(new Ajv4(OPTIONS)),
  "draft-07": withFormats(new Ajv(OPTIONS)),
  newest: withFormats(new Ajv2020(OPTIONS)),
};
const known = new Map<string, (value: unknown) => boolean>();

/**
 * Whether a JSON schema accepts the value, according to an independent validator (Ajv). Uses the draft that the schema
 * names, else the newest.
 */
export function accepts(schema: unknown, value: unknown): boolean {
  const text = JSON.stringify(schema);
  const judge = known.get(text) ?? compile(JSON.parse(text) as Record<string, unknown>);
  known.set(text, judge);
  return judge(value);
}

function compile(schema: Record<string, unknown>): (value: unknown) => boolean {
  const stated = String(schema["$schema"] ?? "");
  const draft = stated.includes("draft-04")
    ? "draft-04"
    : stated.includes("draft-07")
      ? "draft-07"
      : "newest";
  const validate = drafts[draft].compile(schema);
  return (value) => validate(value) === true;
}

function withFormats<Judge extends Ajv>(judge: Judge): Judge {
  addFormats(judge);
  return judge;
}
