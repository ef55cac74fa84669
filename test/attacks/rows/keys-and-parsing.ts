import { type AttackGroup, row } from "./row.ts";

const PARKED = "test/attacks/parked-calls.test.ts";
const ROUTES = "test/route-suite.test.ts";
const EVERY = "test/attacks/every-route.test.ts";
const RAW = "test/attacks/raw-socket.test.ts";
const LOOP = "test/attacks/blocked-loop.test.ts";
const GUARD = "gateway/src/http/body/json-guard.test.ts";
const UNFOLDING = "gateway/src/providers/ai-sdk/schema/unfold-budget.test.ts";
const AUTHENTICATOR = "gateway/src/identity/authentication/authenticator.test.ts";
const REFUSED_RAW = [RAW, "an ambiguous request is refused, and its connection is closed"] as const;
const WRONG_FIELDS = [
  EVERY,
  "answers any value of the field %s, and neither records nor forwards what it refuses",
] as const;

export const KEYS: AttackGroup = {
  name: "A. Keys",
  rows: [
    row("no key, another scheme, an empty key, two keys, a key in a cookie or another header", [
      ROUTES,
      "refuses authentication by %s",
    ]),
    row(
      "a key in the query or in the body",
      [ROUTES, "ignores a key in the query"],
      [EVERY, "ignores a key in the body"],
    ),
    row(
      "keys with blanks, CR, NUL, look-alike letters or SQL, or a megabyte long",
      [ROUTES, "refuses authentication by %s"],
      REFUSED_RAW,
      [
        "gateway/src/identity/authentication/bearer.test.ts",
        "of a megabyte is refused quickly: a thousand times in less than 100 ms",
      ],
    ),
    row(
      "malformed keys: refused without a database query",
      [AUTHENTICATOR, "that is malformed causes no query"],
      ["test/attacks/fuzz/fuzz.test.ts", "mutated input is parsed or refused, and takes no long time"],
    ),
    row("unknown, revoked and expired keys: the same work, so the same time", [
      AUTHENTICATOR,
      "that is unknown, revoked or expired causes exactly one query each time",
    ]),
    row(
      "a thousand guessed keys from one address, or many from one IPv6 network",
      [
        "gateway/src/http/app.test.ts",
        "400 wrong keys from one address run into 429, while a valid key from that address is served",
      ],
      [
        "gateway/src/identity/authentication/key-guard.test.ts",
        "shares its failures with its whole IPv6 /64 network",
      ],
    ),
    row(
      "a key revoked while its calls run or arrive, on every node; an organization deactivated meanwhile",
      ["gateway/src/identity/authentication/revocation.test.ts", "a revoked key is refused within a second"],
      [
        "test/attacks/revoked-stream.test.ts",
        "a stream whose key is revoked runs to its end and is charged, and the next call is refused",
      ],
      [PARKED, "are refused on every route if their key was revoked meanwhile"],
      [PARKED, "are refused if their organization was deactivated meanwhile"],
    ),
    row(
      "every route, with a key that lacks its scope",
      [ROUTES, "accepts a key with only the scope %s exactly if the route table says so"],
      [EVERY, "refuses a key with every scope but the route's"],
    ),
    row(
      "creating keys without the role for it",
      [
        "gateway/src/identity/keys/keys.test.ts",
        "is allowed for owners and admins, forbidden for members, and not_found for others",
      ],
      [
        "gateway/src/http/console/api/keys.test.ts",
        "an admin who has lost the role is refused at the next command",
      ],
    ),
    row(
      "keys in a database dump",
      [
        "gateway/src/identity/keys/keys.test.ts",
        "stores hashes and the last four characters, but no eight characters of a secret",
      ],
      ["test/attacks/canaries.test.ts", "in no table of the database"],
    ),
  ],
};

export const PARSING: AttackGroup = {
  name: "B. Parsing",
  rows: [
    row(
      "bodies that are not JSON or not an object; repeated keys, BOM, invalid UTF-8, lone surrogates, NUL",
      [ROUTES, "refuses a body %s"],
      [GUARD, "refuses a repeated key at any depth, escaped or not, and no other keys"],
    ),
    row("`__proto__`, `constructor`, prices and owners in a body", [ROUTES, "accepts a body %s"]),
    row(
      "nesting 65 and 100,000 levels deep",
      [GUARD, "allows a depth of 64 and refuses 65"],
      [LOOP, "%s does not block the event loop"],
    ),
    row(
      "100,000 messages, 10,000 tools, 10 MB in one field, millions of values",
      [LOOP, "%s does not block the event loop"],
      [GUARD, "refuses too many keys or values before it parses them"],
      [ROUTES, "refuses %s"],
    ),
    row(
      "numeric object keys, which engines keep sorted; numbers with millions of digits; millions of escapes",
      [GUARD, "counts a numeric key as several keys, however it is written"],
      [GUARD, "counts a long number as several values, in proportion to its length"],
      [GUARD, "refuses too many backslashes before it parses them"],
    ),
    row(
      "text crafted to be slow to process",
      [LOOP, "%s does not block the event loop"],
      ["test/attacks/blocked-wires.test.ts", "%s does not block the event loop on any wire it is sent to"],
      ["compaction/src/compact-hostile.test.ts", "hostile text"],
      [GUARD, "reads a megabyte of text full of backslashes or quotes within 250 ms"],
    ),
    row(
      "tens of thousands of image URLs; host names thousands of characters long",
      ["gateway/src/http/openai/media-address.test.ts", "media addresses of one call"],
      [
        "gateway/src/outbound/public/handed-url.test.ts",
        "long host names are refused and long paths accepted, 1,000 of each within 300 ms",
      ],
    ),
    row(
      "tool schemas whose references expand: a little in each of many tools, or along a chain",
      [UNFOLDING, "100 tools that each expand as far as one may are refused within a second: %s"],
      [UNFOLDING, "20,000 %s along a chain of definitions are refused within 150 ms"],
    ),
    row(
      "bodies over the size limit, with a declared length or in chunks",
      [
        "gateway/src/http/server.test.ts",
        "with a declared length over the limit are 413 immediately, and the connection is closed",
      ],
      [
        "gateway/src/http/server.test.ts",
        "in chunks over the limit are 413 before they end, and the connection is closed",
      ],
    ),
    row("NUL in any text that is stored", WRONG_FIELDS, [
      "gateway/src/identity/display-text.test.ts",
      "text that cannot be stored or shown on one line is refused: %p",
    ]),
    row(
      'numbers given as `1e400`, 2^53 + 1, `"5"`, `1.5`, `0` or `-1`; `stream` given as text',
      WRONG_FIELDS,
      [ROUTES, "refuses %s"],
    ),
    row("other content types, compressed bodies", [ROUTES, "refuses a body %s"]),
    row(
      "query parameters out of range or given twice",
      [EVERY, "refuses the parameter %s given twice, whatever its values"],
      ["gateway/src/http/query.test.ts", "%s is refused with the parameter's name and what it accepts"],
    ),
    row(
      "cursors that are altered, made up, very long or from another organization",
      ["gateway/src/assets/page-cursor.test.ts", "an altered cursor or any other text is refused"],
      ["test/endpoints/library.test.ts", "a cursor is valid only unaltered and for its own organization"],
      [
        "gateway/src/http/console/api/usage.test.ts",
        "refuses a cursor that is malformed or made for another order, and accepts any well-formed one",
      ],
      [
        "gateway/src/http/console/api/usage.test.ts",
        "continues among one's own requests behind a cursor of another organization",
      ],
    ),
    row(
      "`%00`, encoded dots and slashes, and double slashes in paths; 20 KB paths",
      [ROUTES, "is not found with %j after its path"],
      ["gateway/src/http/app.test.ts", "%s is 404"],
      REFUSED_RAW,
    ),
    row(
      "mutated valid input, for every parser and every route",
      ["test/attacks/fuzz/fuzz.test.ts", "mutated input is parsed or refused, and takes no long time"],
      [
        "test/attacks/fuzz/fuzz.test.ts",
        "to every route, page and command are answered: no 5xx of ours, no leak, and no blocked event loop",
      ],
    ),
  ],
};

export const TRANSPORT: AttackGroup = {
  name: "C. Transport",
  rows: [
    row(
      "two `Content-Length` headers, a length with chunks, malformed chunks, bare LF, malformed request heads",
      REFUSED_RAW,
    ),
    row("requests hidden in a body, absolute request targets, two `Host` headers, upgrades, TRACE", [
      RAW,
      "an odd request counts as exactly one request",
    ]),
    row("CONNECT tunnels", [RAW, "CONNECT is refused, and nothing sent after it is served"]),
    row("headers over 16 KB; TLS or garbage on the port", REFUSED_RAW),
    row("slow headers", [
      "gateway/src/http/slow-headers.test.ts",
      "headers that arrive byte by byte without end are cut, without a response",
    ]),
    row("slow bodies", ["gateway/src/http/server.test.ts", "%s that take too long are 408"]),
    row(
      "large bodies from one key that never arrive, or stall",
      [
        "gateway/src/http/body/body.test.ts",
        "that never end do not block those of another sender, and are 503 beyond their sender's share",
      ],
      ["gateway/src/http/body/body.test.ts", "%s that stop arriving are 408 after the grace period"],
    ),
    row("unfinished bodies from one key, to fill the memory", [
      "gateway/src/http/body/body.test.ts",
      "%s that do not end are 503 beyond what one sender may have in progress, until they end",
    ]),
    row("endless bodies of refused requests, many at once", [
      "gateway/src/http/body/unread-rest.test.ts",
      "the rest of a refused body is read within limits",
    ]),
    row("large bodies of calls that wait for a slow provider, to fill the memory", [
      "gateway/src/http/body/kept-bodies.test.ts",
      "large bodies of running calls",
    ]),
    row("prompts that are expensive to process, many at once, from a key without credits", [
      "test/attacks/one-organization.test.ts",
      "concurrent expensive calls of an organization without credits do not delay other organizations",
    ]),
    row("thousands of idle connections and half-sent requests", [
      RAW,
      "two thousand connections that are silent or send half a request do not stop other clients",
    ]),
    row(
      "clients that read their stream slowly",
      [
        "test/faults/slow-readers.test.ts",
        "hold the upstream back, and are cut off and charged for what was delivered",
      ],
      ["test/faults/slow-readers.test.ts", "do not delay other calls, and cost nothing if cut by a shutdown"],
      ["test/faults/slow-readers.test.ts", "hold the source back, and the stall limit cuts them all off"],
    ),
    row("clients that disconnect at any point", [
      "test/endpoints/chat-stream.test.ts",
      "a thousand disconnects at nine points leave no hold, correct books, and every call charged",
    ]),
    row("requests sent before the previous reply (pipelining)", [
      RAW,
      "pipelined requests are answered in order or not at all",
    ]),
    row(
      "a forged `X-Forwarded-For`",
      ["gateway/src/http/client-address.test.ts", "for the peer %s with X-Forwarded-For %p is %s"],
      [
        "test/attacks/forwarded.test.ts",
        "a forged X-Forwarded-For does not exempt key guesses from the per-address throttle",
      ],
    ),
    row(
      "line breaks in names that reach headers",
      ["gateway/src/catalog/load/load-catalog.test.ts", "the id %j is refused"],
      [
        "test/endpoints/media-hostile.test.ts",
        "… answers any field values with 200 or with a 400 that names a field",
      ],
    ),
  ],
};
