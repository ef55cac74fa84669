/** The fields of a zod issue that are used here. */
type Issue = {
  readonly code?: string | undefined;
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly expected?: unknown;
  readonly keys?: readonly string[];
  readonly issues?: readonly { readonly message: string }[];
};

const MAX_SHOWN_CHARACTERS = 40;

/**
 * One line per wrong setting: its path, what it accepts, what was found. `written` is the value as written in the file,
 * before `${NAME}` was filled in, so that no secret from the environment is ever shown.
 */
export function describeIssues(issues: readonly Issue[], root: string, written: unknown): string[] {
  const lines = issues.flatMap((issue) => {
    const path = joinPath(root, issue.path);
    if (issue.code === "unrecognized_keys") {
      return (issue.keys ?? []).map((key) => `${joinPath(path, [key])}: ${issue.message}`);
    }
    return `${path}: ${accepted(issue)}${found(valueAt(written, issue.path), issue.code)}`;
  });
  // A number may break two rules that share a message.
  return [...new Set(lines)];
}

/** `models` + [2, "price"] → `models[2].price`. */
function joinPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (joined, step) => (typeof step === "number" ? `${joined}[${step}]` : `${joined}.${String(step)}`),
    root,
  );
}

function accepted(issue: Issue): string {
  const isMapping = issue.expected === "object" || issue.expected === "record";
  if (issue.code === "invalid_type" && isMapping) return "must be a mapping";
  if (issue.code === "invalid_type" && issue.expected === "array") return "must be a list";
  if (issue.code === "invalid_key") return issue.issues?.[0]?.message ?? issue.message;
  return issue.message;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.getOwnPropertyDescriptor(current, step)?.value;
  }
  return current;
}

function found(value: unknown, code: string | undefined): string {
  // The path already names a wrong key; its value is not at fault.
  if (code === "invalid_key") return "";
  if (value === undefined) return " (missing)";
  if (typeof value === "string") {
    const short = value.length > MAX_SHOWN_CHARACTERS ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…` : value;
    return ` (got ${JSON.stringify(short)})`;
  }
  if (typeof value === "object" && value !== null) {
    return code === "invalid_type" ? ` (got a ${Array.isArray(value) ? "list" : "mapping"})` : "";
  }
  return ` (got ${String(value)})`;
}
