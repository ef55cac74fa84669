/** Values that an attacker would send where an ordinary value is expected. */
const BLOWN_UP = [
  ...["a", "(", "[", "\\", "9", " ", "\n", '"', ".", "a.", "=", "|", "\t", "{}", "é", "👩‍👩‍👧", "\u0301"].map(
    (unit) => unit.repeat(4_000 / unit.length),
  ),
  `${"a".repeat(3_000)}!`,
  `${"\\\\".repeat(1_000)}"`,
  `data:image/png;${"a=b;".repeat(800)}base64,`,
];

export const HOSTILE_TEXTS: readonly string[] = [
  ...["", " ", "0", "-1", "5", "true", "null", "undefined", "NaN", "[object Object]", "@0", "@15", "@99"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "length"],
  ...["'; drop table requests; --", "' or '1'='1", "$1", "%s%n", "{{7*7}}", "$(id)", "`id`"],
  ...["../../etc/passwd", "..%2f..%2f", "/dev/zero", "C:\\con", "file:///etc/passwd", "a\r\nset-cookie: a=b"],
  ...["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=HYPERLINK(1)", "\u202e\u2066x"],
  ...["http://169.254.169.254/", "http://[::1]/", "https://127.1/", "https://0x7f.1/x.png", "data:,x"],
  ...[
    "data:image/png;base64,AAAA",
    "data:text/html;base64,PHA+",
    "iVBORw0KGgo=",
    "sk-canary",
    "\ufffe",
    "\ufeff",
  ],
  ...[
    "[sandbox:echo] x",
    "[sandbox:error 500]",
    "[sandbox:",
    "[sandbox:slow 1] x",
    "svc-fast",
    "sandbox-chat",
  ],
  ...["2026-02-30T25:61:61Z", "-0", "1e400", "9007199254740993", "0x10", "１２", "٣", "1_000", "+1"],
  ...BLOWN_UP,
];

export const HOSTILE_NUMBERS: readonly number[] = [
  ...[0, -0, -1, 1, 1.5, 1e-300, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32, -(2 ** 31)],
  ...[2 ** 53 - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 1e21, 1e308, 5e-324, 127, 128, 1e9],
];

/** Written as text, because JavaScript would round or refuse them before they are sent. */
export const HOSTILE_LITERALS: readonly string[] = [
  ...[
    "1e400",
    "-1e400",
    "9007199254740993",
    "1e-400",
    "-0",
    "0.1e1",
    "1E5",
    "00",
    "01",
    "+1",
    ".5",
    "1.",
    "0x1",
  ],
  ...["NaN", "Infinity", "undefined", "'a'", '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\x41"', '"\t"'],
  ...[
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
  ],
  ...[
    "[".repeat(70),
    `${"[".repeat(60)}${"]".repeat(60)}`,
    '{"a":'.repeat(70),
    "[,]",
    "{,}",
    "[1,]",
    "//x",
    "/*x*/1",
  ],
  ...["true", "false", "null", "[]", "{}", '""', "[[]]", '{"":""}', "[null]", "[{}]"],
];
