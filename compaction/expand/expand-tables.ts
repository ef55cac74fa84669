/** The inverse of `writeTables`, written from the notation alone. */
export function expandTables(text: string): string {
  const rest = /\s*$/.exec(text)?.[0] ?? "";
  return expandValue(text.slice(0, text.length - rest.length)) + rest;
}

function expandValue(shown: string): string {
  const isSpaced = shown.includes('"§cols": [');
  const comma = isSpaced ? ", " : ",";
  const colon = isSpaced ? ": " : ":";
  let at = 0;

  const peek = () => shown[at] ?? "";
  const skip = (text: string) => {
    if (!shown.startsWith(text, at)) throw new Error(`${JSON.stringify(text)} expected at ${at} of ${shown}`);
    at += text.length;
  };

  function readString(): string {
    const start = at++;
    while (peek() !== '"') at += peek() === "\\" ? 2 : 1;
    at++;
    return shown.slice(start, at);
  }

  function readValue(): string {
    if (peek() === '"') return readString();
    if (shown.startsWith('{"§cols"', at)) return readTable();
    if (peek() === "{") return readMembers("{", "}", () => readString() + readColon() + readValue());
    if (peek() === "[") return readMembers("[", "]", readValue);
    const start = at;
    while (/[\w.+-]/.test(peek())) at++;
    return shown.slice(start, at);
  }

  function readColon(): string {
    skip(colon);
    return colon;
  }

  function readMembers(open: string, close: string, read: () => string): string {
    skip(open);
    const members: string[] = [];
    while (peek() !== close) {
      if (members.length > 0) skip(comma);
      members.push(read());
    }
    skip(close);
    return `${open}${members.join(comma)}${close}`;
  }

  type Head = { key: string; constant: string | null; heads: Head[] | null; isOptional?: true };

  function readHead(): Head {
    if (peek() === '"') return { key: readString(), constant: null, heads: null };
    skip("{");
    const name = readString();
    skip(colon);
    const isConstant = name.endsWith('="');
    if (!isConstant && peek() === '"') {
      skip('"absent if empty"}');
      return { key: name, constant: null, heads: null, isOptional: true };
    }
    const head: Head = isConstant
      ? { key: `${name.slice(0, -2)}"`, constant: readValue(), heads: null }
      : { key: name, constant: null, heads: readHeads() };
    skip("}");
    return head;
  }

  function readHeads(): Head[] {
    const heads: Head[] = [];
    skip("[");
    while (peek() !== "]") {
      if (heads.length > 0) skip(comma);
      heads.push(readHead());
    }
    skip("]");
    return heads;
  }

  function readCell(): string {
    if (/["{[]/.test(peek())) return readValue();
    const start = at;
    while (peek() !== "," && peek() !== "\n") at++;
    const text = shown.slice(start, at);
    return isPlain(text) ? text : `"${text}"`;
  }

  let isFirstCell = true;

  function readRow(heads: readonly Head[], key: string | null): string {
    const members = heads.flatMap((head) => {
      if (head.constant === '"§key"') return [head.key + colon + key];
      if (head.constant !== null) return [head.key + colon + head.constant];
      if (head.heads !== null) return [head.key + colon + readRow(head.heads, key)];
      if (!isFirstCell) skip(",");
      isFirstCell = false;
      if (head.isOptional && /[,\n]/.test(peek())) return [];
      const cell = readCell();
      isFirstCell = false;
      return [head.key + colon + cell];
    });
    return `{${members.join(comma)}}`;
  }

  function readTable(): string {
    skip(`{"§cols"${colon}`);
    const heads = readHeads();
    const isKeyed = heads[0]?.key === '"§key"';
    const rows: string[] = [];
    while (!shown.startsWith("\n}", at)) {
      skip("\n");
      const key = isKeyed ? readKey() : null;
      isFirstCell = !isKeyed;
      const row = readRow(isKeyed ? heads.slice(1) : heads, key);
      rows.push(key === null ? row : key + colon + row);
    }
    skip("\n}");
    return isKeyed ? `{${rows.join(comma)}}` : `[${rows.join(comma)}]`;
  }

  function readKey(): string {
    const cell = readCell();
    return cell.startsWith('"') ? cell : `"${cell}"`;
  }

  const value = readValue();
  if (at !== shown.length) throw new Error(`more behind the table: ${shown.slice(at)}`);
  return value;
}

function isPlain(text: string): boolean {
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
}
