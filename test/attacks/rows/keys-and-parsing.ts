import { type AttackGroup, row } from "./row.ts";

const PARKED = "test/attacks/parked-calls.test.ts";
const ROUTES = "test/route-suite.test.ts";
const EVERY = "test/attacks/every-route.test.ts";
const RAW = "test/attacks/raw-socket.test.ts";
const LOOP = "test/attacks/blocked-loop.test.ts";
const GUARD = "src/http/body/json-guard.test.ts";
const UNFOLDING = "src/providers/ai-sdk/schema/unfold-budget.test.ts";
const AUTHENTICATOR = "src/identity/authentication/authenticator.test.ts";
const REFUSED_RAW = [
  RAW,
  "a request that two servers could read differently is refused, and its connection ends",
] as const;
const WRONG_FIELDS = [
  EVERY,
  "answers whatever stands in its field %s, and charges nobody for a refusal",
] as const;

export const KEYS: AttackGroup = {
  name: "A. Keys",
  rows: [
    row("none, another scheme, empty, twice, in a cookie or another header", [ROUTES, "refuses as a key %s"]),
    row(
      "in the query, in the body",
      [ROUTES, "does not look for a key in the query"],
      [EVERY, "does not look for a key in the body"],
    ),
    row(
      "blanks, CR, NUL, look-alike letters, SQL, a megabyte",
      [ROUTES, "refuses as a key %s"],
      REFUSED_RAW,
      ["src/identity/authentication/bearer.test.ts", "of a megabyte costs no more than a short one"],
    ),
    row(
      "malformed ones ask no database",
      [AUTHENTICATOR, "that is malformed asks nobody"],
      ["test/attacks/fuzz/fuzz.test.ts", "foreign bytes are read or refused, and nothing takes long"],
    ),
    row("unknown, revoked, expired: the same work, so the same time", [
      AUTHENTICATOR,
      "unknown, revoked or expired asks exactly one question, each time",
    ]),
    row(
      "a thousand guesses from one address",
      [
        "src/http/app.test.ts",
        "a thousand wrong keys from one address are slowed, and a good one among them is not",
      ],
      [
        "src/identity/authentication/key-guard.test.ts",
        "cannot walk through the addresses of one IPv6 network",
      ],
    ),
    row(
      "revoked while others run, on every node",
      ["src/identity/authentication/revocation.test.ts", "a revoked key is refused within a second"],
      [
        "test/attacks/revoked-stream.test.ts",
        "a stream whose key is revoked is finished and paid for, and the next call is refused",
      ],
      [PARKED, "are refused where their key was revoked meanwhile, on every route"],
      [PARKED, "are refused where their organization was made inactive meanwhile"],
    ),
    row(
      "every route without its scope",
      [ROUTES, "takes or refuses a key of the scope %s alone, as the table says"],
      [EVERY, "refuses a key with every scope but its own"],
    ),
    row(
      "minting more than one may",
      [
        "src/identity/keys/keys.test.ts",
        "is for owners and admins; members are refused, strangers learn nothing",
      ],
      [
        "src/http/console/api/keys.test.ts",
        "who lost the role between two pages is refused at the next command",
      ],
    ),
    row(
      "a dump of the database",
      [
        "src/identity/keys/keys.test.ts",
        "stores hashes and the last four characters, nothing that opens anything",
      ],
      ["test/attacks/canaries.test.ts", "in no dump of the database"],
    ),
  ],
};

export const PARSING: AttackGroup = {
  name: "B. Parsing",
  rows: [
    row(
      "no JSON, no object, repeated keys, BOM, bad UTF-8, half pairs, NUL",
      [ROUTES, "refuses a body %s"],
      [GUARD, "finds a repeated key at any depth, escaped or not, and no other"],
    ),
    row("__proto__ and constructor, prices and owners in a body", [ROUTES, "takes a body %s"]),
    row(
      "nesting of 65 and 100,000 levels",
      [GUARD, "allows a depth of 64 and refuses 65"],
      [LOOP, "%s keeps nobody else waiting"],
    ),
    row(
      "100,000 messages, 10,000 tools, 10 MB in a field, millions of values",
      [LOOP, "%s keeps nobody else waiting"],
      [GUARD, "refuses more keys or values than can be read in passing, before it reads them"],
      [ROUTES, "refuses %s"],
    ),
    row(
      "keys that are numbers, which engines keep in order, numbers without end and millions of escapes",
      [GUARD, "a key that is a number counts as several, however it is written"],
      [GUARD, "a long number counts as several values, the more the longer it is"],
      [GUARD, "refuses more backslashes than a text of the largest size has, before it reads them"],
    ),
    row(
      "text made to be slow",
      [LOOP, "%s keeps nobody else waiting"],
      ["test/attacks/blocked-wires.test.ts", "%s keeps nobody else waiting on any wire that it goes to"],
      ["src/efficiency/compact-hostile.test.ts", "hostile text"],
      [GUARD, "stays linear on text made to be slow"],
    ),
    row(
      "tens of thousands of pictures' addresses, and hosts of thousands of letters",
      ["src/http/openai/media-address.test.ts", "addresses of one call"],
      [
        "src/providers/outbound/handed-url.test.ts",
        "a long name is refused unread, and a long path is not read at all",
      ],
    ),
    row(
      "tools whose definitions unfold: each a little, or along a chain",
      [UNFOLDING, "tools that each unfold as far as one may are refused together: %s"],
      [UNFOLDING, "thousands of %s that a long chain of definitions carries along are refused soon"],
    ),
    row(
      "bodies over the limit, said or in chunks",
      [
        "src/http/server.test.ts",
        "declared over the limit are refused at once, unread, and the connection ends",
      ],
      ["src/http/server.test.ts", "in chunks over the limit are refused while they arrive"],
    ),
    row("NUL in any stored text", WRONG_FIELDS, [
      "src/identity/display-text.test.ts",
      "what cannot be stored or shown on one line is refused: %p",
    ]),
    row('1e400, 2^53 + 1, "5", 1.5, 0, −1, stream as text', WRONG_FIELDS, [ROUTES, "refuses %s"]),
    row("another content type, compressed bodies", [ROUTES, "refuses a body %s"]),
    row(
      "parameters out of range or given twice",
      [EVERY, "refuses the parameter %s twice, whatever it says"],
      ["src/http/query.test.ts", "%s is refused by name and range"],
    ),
    row(
      "cursors that are altered, foreign or long",
      ["src/assets/page-cursor.test.ts", "no text but our own is a cursor"],
      [
        "test/endpoints/library.test.ts",
        "a cursor is good for its own organization only, and only unchanged",
      ],
      [
        "src/http/console/api/usage.test.ts",
        "a cursor that was made up, or made in another order, is refused; one of another organization opens nothing",
      ],
    ),
    row(
      "%00, encoded dots and slashes, double slashes, 20 KB paths",
      [ROUTES, "is not found with %j behind its path"],
      REFUSED_RAW,
    ),
    row(
      "mutations of valid calls, of every reader and every route",
      ["test/attacks/fuzz/fuzz.test.ts", "foreign bytes are read or refused, and nothing takes long"],
      [
        "test/attacks/fuzz/fuzz.test.ts",
        "to every route, page and command are answered: no 5xx of ours, no leak, and the loop stays free",
      ],
    ),
  ],
};

export const TRANSPORT: AttackGroup = {
  name: "C. Transport",
  rows: [
    row("two lengths, lengths with chunks, malformed chunks, bare LF, odd heads", REFUSED_RAW),
    row("requests hidden behind a body, absolute targets, two hosts, upgrades, TRACE", [
      RAW,
      "an odd request is one request, and nothing hides behind it",
    ]),
    row("CONNECT", [RAW, "a tunnel is refused, and nothing goes through it"]),
    row("headers over 16 KB, TLS and garbage on the port", REFUSED_RAW),
    row("slow headers", [
      "src/http/slow-headers.test.ts",
      "headers that come byte by byte and never end are cut, unanswered",
    ]),
    row("slow bodies", ["src/http/server.test.ts", "%s that take too long are 408"]),
    row(
      "large bodies of one key that never come, or stand still",
      [
        "src/http/body/body.test.ts",
        "of one that never end keep no other's out, and are refused beyond its part of the queue",
      ],
      ["src/http/body/body.test.ts", "%s that stand still are 408 soon"],
    ),
    row("bodies of one key that lack their end, to fill the memory", [
      "src/http/body/body.test.ts",
      "%s that lack their end are refused beyond what one may have under way",
    ]),
    row("bodies of refused requests that never end, many at once", [
      "src/http/body/unread-rest.test.ts",
      "the rest of a refused body is taken within bounds",
    ]),
    row("large bodies of calls that a slow provider keeps, to fill the memory", [
      "src/http/body/kept-bodies.test.ts",
      "large bodies of calls that run",
    ]),
    row("dear prompts of a key without credits, many at once", [
      "test/attacks/one-organization.test.ts",
      "dear calls of a key without credits, all at once, keep nobody else waiting",
    ]),
    row("thousands of idle and half-said connections", [
      RAW,
      "two thousand connections that say nothing, or half a request, keep nobody waiting",
    ]),
    row(
      "slow readers of streams",
      [
        "test/faults/slow-readers.test.ts",
        "hold the upstream back, and are ended and charged for what was delivered",
      ],
      [
        "test/faults/slow-readers.test.ts",
        "leave others alone for as long as they stand there, and cut by a shutdown cost nothing, whenever they leave",
      ],
      [
        "test/faults/slow-readers.test.ts",
        "hold the source back, and the stall limit ends them all without an end of the reply",
      ],
    ),
    row("clients that leave at any point", [
      "test/endpoints/chat-stream.test.ts",
      "a thousand hang-ups at every point leave no hold, sound books, and each call charged for what it got",
    ]),
    row("requests without waiting for the answer", [
      RAW,
      "requests sent without waiting are answered in their order or not at all",
    ]),
    row(
      "an invented X-Forwarded-For",
      ["src/http/client-address.test.ts", "of %s with %p is %s"],
      ["test/attacks/forwarded.test.ts", "an invented X-Forwarded-For does not make a guesser somebody else"],
    ),
    row(
      "line breaks from names into headers",
      ["src/catalog/load-catalog.test.ts", "the id %j is refused"],
      [
        "test/endpoints/media-hostile.test.ts",
        "… answers whatever is in its fields with a file or a refusal that says why",
      ],
    ),
  ],
};
