import { isObject } from "../../../../gateway/src/kit/index.ts";

const MAX_REFERENCE_CHARACTERS = 1000;

/** Resolves references within one document, each once. Never outside of it: the sandbox fetches nothing. */
export function createTargets(
  root: unknown,
  look: (count: number) => boolean,
): (reference: string) => unknown {
  let named: ReadonlyMap<string, unknown> | undefined;
  const known = new Map<string, unknown>();

  return (reference) => {
    if (!known.has(reference)) known.set(reference, targetOf(reference));
    return known.get(reference);
  };

  function targetOf(reference: string): unknown {
    if (reference.length > MAX_REFERENCE_CHARACTERS) return undefined;
    const at = reference.indexOf("#");
    const [address, fragment] =
      at < 0 ? [reference, ""] : [reference.slice(0, at), decoded(reference.slice(at + 1))];
    if (address === "" && (fragment === "" || fragment.startsWith("/"))) return pointedAt(root, fragment);
    named ??= namesIn(root, look);
    const start = address === "" ? root : (named.get(address) ?? named.get(lastStep(address)));
    if (fragment === "" || fragment.startsWith("/")) return pointedAt(start, fragment);
    return named.get(`#${fragment}`);
  }
}

function pointedAt(start: unknown, pointer: string): unknown {
  let value = start;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = /^\d{1,6}$/.test(key) ? value[Number(key)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** Schemas by their `$id`, as written and by its last segment, and by `#` with their anchor. */
function namesIn(root: unknown, look: (count: number) => boolean): ReadonlyMap<string, unknown> {
  const names = new Map<string, unknown>();
  const waiting: unknown[] = [root];
  const add = (name: string, schema: unknown) => {
    if (!names.has(name)) names.set(name, schema);
  };
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    const members: unknown[] = Object.values(value);
    if (!look(members.length)) break;
    for (const member of members) waiting.push(member);
    if (!isObject(value)) continue;
    const { $id = value["id"], $anchor = value["$dynamicAnchor"] } = value;
    if (typeof $id === "string" && $id !== "") {
      // Draft 7 writes an anchor as an id that is only a fragment.
      add($id.length > 1 && $id.endsWith("#") ? $id.slice(0, -1) : $id, value);
      add(lastStep($id), value);
    }
    if (typeof $anchor === "string") add(`#${$anchor}`, value);
  }
  return names;
}

function lastStep(address: string): string {
  return address.slice(address.lastIndexOf("/") + 1);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
