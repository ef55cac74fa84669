import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";
import { stripControlSequences } from "./terminal-codes.ts";
import { createMarker, findWordChanges } from "./word-changes.ts";

/** The text as shown without colours; null if the colours stay. */
function shown(text: string): string | null {
  const changes = findWordChanges(text);
  return changes === null ? null : stripControlSequences(createMarker(changes)(text, 0));
}

/** Replaces `<r>` with the escape sequence for red, and so on, up to `<>`. */
function paint(text: string): string {
  const codes: Record<string, string> = {
    r: "31",
    g: "32",
    c: "36",
    y: "33",
    b: "1",
    k: "90",
    R: "30;41",
    G: "30;42",
  };
  return text.replaceAll(/<([a-zA-Z]?)>/g, (_, name: string) => `\x1b[${codes[name] ?? ""}m`);
}

const FILE = "<b>diff --git a/policy.md b/policy.md<>\n<b>--- a/policy.md<>\n<b>+++ b/policy.md<>\n";
const PLAIN_FILE = "diff --git a/policy.md b/policy.md\n--- a/policy.md\n+++ b/policy.md\n";

describe("removed and added words", () => {
  test("are marked as git marks them", () => {
    const hunk = `<c>@@ -1,6 +1,6 @@<>
Guests may<r>not<> cancel within 24 hours.
Refunds <g>never<> go to the original card.

<r>- item one<>
- item two<>
<g>- item three<>
timeout = <r>30<><g>60<>%
end<>
`;
    const marked = `@@ -1,6 +1,6 @@
Guests may[-not-] cancel within 24 hours.
Refunds {+never+} go to the original card.

[-- item one-]
- item two
{+- item three+}
timeout = [-30-]{+60+}%
end
`;
    expect(shown(paint(FILE + hunk))).toBe(PLAIN_FILE + marked);
  });

  test("are marked across lines, and in hunks without other lines", () => {
    const hunks = `<c>@@ -1,3 +1,2 @@<>
x = <r>a[-1]<>
<r>old line<><g>a[-2]<>
keep<>
<c>@@ -9,4 +8,0 @@<> def cancel():

<r>gone<>

<r>gone, too<>
<c>@@ -20 +15,0 @@<>
<r>- an item<>
`;
    const marked = `@@ -1,3 +1,2 @@
x = [-a[-1]-]
[-old line-]{+a[-2]+}
keep
@@ -9,4 +8,0 @@ def cancel():

[-gone-]

[-gone, too-]
@@ -20 +15,0 @@
[-- an item-]
`;
    expect(shown(paint(FILE + hunks))).toBe(PLAIN_FILE + marked);
  });

  test("are marked in each commit of a log, but not between commits", () => {
    const commit = (hash: string) =>
      `<y>commit ${hash}<>\nAuthor: <r>Me<>\n\n    Say <r>no<> more\n\n${FILE}<c>@@ -1 +1 @@<>\nsay <r>no<><g>yes<>\n\n`;
    const plain = (hash: string) =>
      `commit ${hash}\nAuthor: Me\n\n    Say no more\n\n${PLAIN_FILE}@@ -1 +1 @@\nsay [-no-]{+yes+}\n\n`;
    expect(shown(paint(commit("a") + commit("b")))).toBe(plain("a") + plain("b"));
  });

  test.each([
    ["other output follows", "<c>@@ -1,2 +1,2 @@<>\nsay <r>no<><g>yes<>\nend<>\n<r>FAIL<> one.test.ts\n"],
    ["the hunk is cut short", "<c>@@ -1,30 +1,30 @@<>\nsay <r>no<> more\nend\n"],
    [
      "the hunk is cut short, and other output follows",
      "<c>@@ -1,30 +1,30 @@<>\nsay <r>no<> more\nend\n  <r>✕ fails<> here\n<r>2 failed<>, <g>3 passed<>\n",
    ],
    ["only unchanged lines are shown", "<c>@@ -1,30 +1,30 @@<>\n const a = 1;\nPASS\n <g>✓<> works\n"],
    ["signs may belong to the words", "<c>@@ -1,2 +1,2 @@<>\n- one<>\n<r>- two<>\n<g>- three<>\n"],
    [
      "another hunk of the same file is a diff of lines",
      "<c>@@ -1,2 +1,2 @@<>\n a\n<r>-b<>\n<g>+<><g>c<>\n<c>@@ -9,2 +9,2 @@<>\n a\n<g>✓<> works\n",
    ],
  ])("keep their colours if %s", (_, text) => {
    expect(shown(paint(FILE + text))).toBeNull();
  });

  const delta = (red: string, green: string) =>
    `src/limits.ts\n──────────\n  const a = 1;\n\x1b[${red}m  const wait = 30;\x1b[0K<>\n\x1b[${green}m  const wait = 60;\x1b[0K<>\n  go(a);\n`;
  const combined = "<b>diff --cc x.ts<>\n<c>@@@ -1,3 -1,3 +1,3 @@@<>\n";

  test.each([
    ["diff-so-fancy", "<y>modified: a.ts<>\n<c>@ a.ts:12 @<> limits()\n  a;\n<r>  wait(30);<>\n  go();\n"],
    ["delta", delta("48;5;52", "48;5;22")],
    ["delta, in more colours", delta("48;2;63;0;1", "48;2;0;40;0")],
    ["delta, in light colours", delta("48;2;255;224;224", "48;2;208;255;208")],
    ["delta, with removed lines only", "  const a = 1;\n\x1b[48;5;52m  retry(3);\x1b[0K<>\n  go(a);\n"],
    ["backgrounds", "  a\n<R>  wait(30);<>\n<G>  wait(60);<>\n"],
    ["backgrounds of words", "Say <R>no<> <G>yes<> to it, and <R>never<><G>always<> again\n"],
    ["backgrounds of all words", "<R>No<> <G>Yes<>\n"],
    ["a merge", `${combined}const a = <r>1<><g>4<>;\nconst b = <r>three<> <g>four<>;\n`],
    ["dwdiff", "It was the <r>best<> <g>worst<> of times, it was the age of <r>wisdom<>.\n"],
    ["dwdiff, of names", "It was the <r>FOO<> <g>BAR<> of times\n"],
    [
      "lines that grep has filtered",
      "const b = <r>three()<><g>four()<>; // so many\nconst y = <r>gone<> + 1;\n",
    ],
    ["units of a system", "<g>●<> web.service\n<g>●<> api.service\n<r>●<> mail.service\n"],
    ["dots of tests", "<g>.<><g>.<><r>.<><g>.<>\n4 runs\n"],
    ["prompts", "<g>❯<> make\n<r>❯<> make test\n"],
    ["signs at the end of lines", "web   region ams   <g>●<>\nmail  region ams   <r>●<>\n"],
    ["signs after words", "web  <g>●<> 10.0.0.1\nmail <r>●<> 10.0.0.2\n"],
    ["signs before what differs", "web <g>●<> ams\nmail <r>●<> fra\n"],
    ["signs before the state of only the healthy one", "web <g>●<> running\nmail <r>●<> fra\n"],
    ["signs before the same state of both", "web <g>●<> running\nmail <r>●<> running\n"],
    ["signs in cells", "│ web │ <g>■ <>│\n│ mail │ <r>■ <>│\n"],
    ["signs in a tree", "├─ Pod/web <g>◉<>\n└─ Pod/mail <r>◉<>\n"],
    ["days of a service", "api  <g>█████<><r>█<><g>███<>\n"],
    ["dots of tests after their file", "t/00.t .. <g>.<><g>..<><r>.<><g>.<>\n"],
  ])("keep their colours if nothing else carries the meaning: %s", (_, text) => {
    expect(shown(paint(text))).toBeNull();
  });

  test.each([
    ["levels", "<g>INFO<> started\n<r>ERROR<> no such file\n"],
    ["results", " <g>✓<> works (3 ms)\n <r>✗<> fails (4 ms)\n<r>1 failed<>, <g>3 passed<>\n"],
    ["badges", "<G> PASS <> a.test.ts\n<R> FAIL <> b.test.ts\n"],
    ["a log on a background", "<R>Fatal error: no such file<>\n<g>done<>\n"],
    ["files", "\x1b[01;32mrun<>  README  \x1b[01;31mold.tar.gz<>  \x1b[01;34msrc<>\n"],
    ["matches", "\x1b[35msrc/a.ts<><c>:<><g>12<><c>:<>let <r>12<> = 4;\n"],
    ["staged files", "Staged:\n\t<g>modified:   a.ts<>\nNot staged:\n\t<r>modified:   a.ts<>\n"],
    ["branches", "<y>abc (<g>main<>, <r>origin/main<>)<> a commit\n"],
    ["a summary of changes", " a.ts | 5 <g>+++<><r>--<>\n"],
    ["signs of a merge", `${combined}  a\n<r>- b<>\n<r> -c<>\n<g>++d<>\n`],
    ["a failing step", "step 3 <r>failed<> <g>(retrying)<>\n"],
    [
      "compiler underlines",
      "<r>error[E0308]<>: mismatched types\n  <c>|<>   <r>^^^<> <r>expected `i32`<>\n<g>note<>: function defined here\n  <c>|<>    <g>^^^<> <c>------<>\n",
    ],
    ["signs of one colour after words", "web <r>●<> down\nmail <r>●<> down\n<g>up: <> 0\n"],
    ["signs before outcomes", "web <g>●<> running\nmail <r>● <>failed\n"],
    ["signs before the outcome of only the failed one", "web <g>●<> ams\nmail <r>●<> failed\n"],
    ["dots before outcomes", "module 1 <g>...<> ok\nmodule 2 <r>...<> failed\n"],
    ["different signs after words", "web <g>●<>\nmail <r>○<>\n"],
    ["parts of words", "a<g>.<>b<r>,<>c <g>see<>:<r>.<> it\n"],
    ["files in columns", "README  <r>old.tar.gz<>  <g>run<>\n"],
    [
      "files on backgrounds, with their permissions",
      "drwxrwxrwt 23 root \x1b[30;42mtmp<>\n-rwsr-xr-x 1 root \x1b[37;41m/usr/bin/su<>\n",
    ],
    ["files on backgrounds, one per line", "\x1b[37;41mchfn<>\nchrt\n\x1b[30;42mtmp<>\n"],
    ["files on backgrounds, in columns", "\x1b[37;41msu<>   \x1b[30;42mtmp<>  var\n"],
    [
      "names of projects",
      " <g>✓<> <G> unit <> src/a0.test.ts\n<r>⎯⎯<>\x1b[41m Failed Tests 1 <><r>⎯⎯<>\n\x1b[41m FAIL <> <G> unit <> src/b.test.ts\n",
    ],
    ["dots and letters", "<g>.<><g>.<><r>F<><g>.<>\n"],
  ])("lose their colours if words, signs or places say as much: %s", (_, text) => {
    expect(shown(paint(text))).toBe(stripControlSequences(paint(text)));
  });

  test.each([
    ["of errors", "<r>Error<>: expected <g>3<>, the actual<> value is <r>4<>\n"],
    ["of lines", `${FILE}<c>@@ -1,3 +1,3 @@<>\n<r>-no<>\n<g>+<><g>yes<>\n stay<>\n<g>+<>\t<g>more<>\n`],
    ["of lines, cut short", `${FILE}<c>@@ -1,30 +1,30 @@<>\n<r>-no<>\n<g>+<>\t<g>yes<>\n(more)\n<r>-a<>\n`],
    [
      "of lines, cut short, with other output after them",
      `${FILE}<c>@@ -1,40 +1,40 @@<>\n a\n<r>-b<>\n<g>+<><g>c<>\n d\n\n/srv/x.ts\n  1:1  <r>error<>  no\n<g>✓<> 12 passed\n`,
    ],
    [
      "of lines, cut short inside one",
      `${FILE}<c>@@ -1,40 +1,40 @@<>\n<r>-a = 1;<>\n<r>-exp\n\n... [42 characters truncated] ...\n\n;<>\n<g>+<><g>c<>\n`,
    ],
    [
      "of lines of which some were filtered out",
      `<c>@@ -1,30 +1,30 @@<>\n<r>-b<>\n<g>+c<>\n<r>ERROR<> no\n<g>OK<> 12\n`,
    ],
    ["of lines with trailing blanks", `<c>@@ -0,0 +1 @@<>\n<g>+<><g>yes<>\x1b[41m  <>\n`],
    ["of words with marks", `${FILE}<c>@@ -1 +1 @@<>\nsay <r>[-no-]<><g>{+yes+}<> now\n`],
    ["of words, for programs", `${FILE}<c>@@ -1 +1 @@<>\n say \n<r>-no\n<><g>+yes\n<>~\n`],
  ])("are not marked in changes %s", (_, text) => {
    expect(shown(paint(text))).toBe(stripControlSequences(paint(text)));
  });

  test.each(["say [-so-] <r>no<>", "say <r>a[n-]<> no", "{+<g>x<> +}"])(
    "keep their colours if marks would be ambiguous: %s",
    (line) => {
      expect(shown(paint(`${FILE}<c>@@ -1 +1 @@<>\n${line}\n`))).toBeNull();
    },
  );

  test.each([
    ["in older colours", "r", "g"],
    ["in newer colours", "R", "G"],
  ])("are marked below mocha's legend, %s", (_, red, green) => {
    const text = `  1) greets
     <r>AssertionError<>: no
      <${red}>actual<> <${green}>expected<>

      1 | retry limit is <${green}>5 <>and <${red}>not <>zero for <${red}>guest <>users

<k>      at Context.<anonymous> (<r>test/a.js<>)<>
  2) fails
     <r>TypeError<>: no
`;
    expect(shown(paint(text))).toBe(`  1) greets
     AssertionError: no
      [-actual-] {+expected+}

      1 | retry limit is {+5 +}and [-not -]zero for [-guest -]users

      at Context.<anonymous> (test/a.js)
  2) fails
     TypeError: no
`);
  });

  test.each([
    ["another red line follows directly", "      <r>Error: boom<>\n      <g>✓ passes<>\n"],
    ["coloured lines follow, indented as far", "\n      <r>Error: boom<> no\n"],
  ])("keep their colours below mocha's legend if %s", (_, more) => {
    expect(shown(paint(`      <r>actual<> <g>expected<>\n\n      say <r>no<><g>yes<>\n${more}`))).toBeNull();
  });

  test("get marks and nothing else, never across lines, whatever the text contains", () => {
    const piece = fc.constantFrom(
      ...[
        "\x1b[31m",
        "\x1b[32m",
        "\x1b[m",
        "\x1b[41m",
        "\x1b[",
        "\x1b",
        "word",
        " ",
        "\n",
        "-",
        "+",
        "[-",
        "+}",
      ],
      ...[
        "\n@@ -1,2 +1,2 @@\n",
        "\n@@ -3 +0,0 @@\n",
        "\ndiff --git a b\n",
        "\n  \x1b[31mactual\x1b[m \x1b[32mexpected\x1b[m\n",
      ],
    );
    let marked = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const changes = findWordChanges(text);
        if (changes === null) return;
        marked += changes.length;
        let end = 0;
        for (const { from, to } of changes) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          expect(text.slice(from, to)).not.toContain("\n");
          end = to;
        }
        const signs = changes.length * 4;
        expect(createMarker(changes)(text, 0).length).toBe(text.length + signs);
      }),
      { numRuns: 1_000 },
    );
    expect(marked).toBeGreaterThan(0);
  });
});

describe("a shell's result", () => {
  const result = (content: string): ChatMessage[] => [
    {
      role: "assistant",
      content: null,
      toolCalls: [{ id: "1", name: "Bash", arguments: '{"command":"git diff"}' }],
    },
    { role: "tool", toolCallId: "1", content },
  ];
  const safe = (content: string) =>
    compact(result(content), { level: "safe", references: true }).messages[1]?.content;

  test("marks removed and added words", () => {
    const text = `${FILE}<c>@@ -1,3 +1,3 @@<>\nGuests may <r>not <>cancel within 24 hours.<>\nRefunds <g>never <>go to the original card.<>\n`;
    expect(safe(paint(text))).toBe(
      `${PLAIN_FILE}@@ -1,3 +1,3 @@\nGuests may [-not -]cancel within 24 hours.\nRefunds {+never +}go to the original card.\n`,
    );
  });

  test("marks words after a fence, too, and leaves the fence unchanged", () => {
    const fence = paint("```js\nlet a = <r>1<><g>2<>;\n```");
    const text = (word: string) => `@@ -1,6 +1,6 @@\nsay ${word}\n${fence}\nthen ${word}\n`;
    const painted = paint(`${FILE}<c>@@ -1,6 +1,6 @@<>\nsay <r>no<>\n`) + fence + paint("\nthen <r>no<>\n");
    expect(safe(painted)).toBe(PLAIN_FILE + text("[-no-]"));
  });

  test("keeps its codes if marks would be ambiguous", () => {
    const text = paint(`${FILE}<c>@@ -1 +1 @@<>\nsay [-so-] <r>no<> more\n`);
    expect(safe(text)).toBe(text);
  });
});
