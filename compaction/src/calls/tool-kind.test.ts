import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { resultKindOf } from "./tool-kind.ts";

const kindOf = (name: string, input: object | string = {}) =>
  resultKindOf({ id: "c", name, arguments: typeof input === "string" ? input : JSON.stringify(input) });

test.each([
  ["Bash", "shell"],
  ["exec_command", "shell"],
  ["run_terminal_cmd", "shell"],
  ["write_stdin", "shell"],
  ["kubectl_logs", "shell"],
  ["run_code", "shell"],
  ["Read", "file"],
  ["str_replace_editor", "file"],
  ["get_file_contents", "file"],
  ["mcp__github__getFileContents", "file"],
  ["TodoWrite", "file"],
  ["apply_patch", "file"],
  ["get_snippet", "file"],
  ["execute_script", "file"],
  ["run_notebook_cell", "file"],
  ["codebase_search", "file"],
  ["add_note", "file"],
  ["Grep", "search"],
  ["list-files-by-glob", "search"],
  ["list_files", "search"],
  ["find_files", "search"],
  ["mcp__shell__get_user_details", "data"],
  ["searchFlights", "data"],
  ["execute_sql", "data"],
  ["run_query", "data"],
  ["slurp", "file"],
  ["", "file"],
])("results of %s are of the kind %s", (name, kind) => {
  expect(kindOf(name)).toBe(kind as ReturnType<typeof kindOf>);
});

test.each([
  ["get_item", { path: "src/a.ts" }, "file"],
  ["get_item", { file: "a" }, "file"],
  ["get_item", { name: "package.json" }, "file"],
  ["get_item", { path: "/users/17" }, "data"],
  ["Read", { path: "data/users.csv" }, "listing"],
  ["get_item", { path: "data/users.tsv?raw=1" }, "listing"],
])("what %s %j names decides whether it is a file", (name, input, kind) => {
  expect(kindOf(name, input)).toBe(kind as ReturnType<typeof kindOf>);
});

test.each([
  ["make", "shell"],
  ["make 2>&1 | tail -40", "shell"],
  ["npm test && echo done", "shell"],
  ["python run.py", "shell"],
  ["curl -s https://example.org | grep loc", "shell"],
  ["cat a.ts", "listing"],
  ["cd /srv && sed -n '1,40p' a.ts", "listing"],
  ["if true; then head -5 a; fi", "listing"],
  ["sudo /bin/cat a", "listing"],
  ["find . -name a -exec cat {} ;", "listing"],
  ["git show HEAD:a.ts", "listing"],
  ["git -C sub diff", "listing"],
  ["python -c \"print(open('a').read())\"", "listing"],
  ["node -e \"console.log(fs.readFileSync('a'))\"", "listing"],
  ["cat -n a.ts", "file"],
  ["nl -ba a.ts | sed -n '1,9p'", "file"],
  ["grep -rn a src", "search"],
  ["cd src && rg -n a | head", "search"],
  ["git grep a", "search"],
])("the command %s makes a shell's results a %s", (command, kind) => {
  expect(kindOf("Bash", { command })).toBe(kind as ReturnType<typeof kindOf>);
  expect(kindOf("shell", { command: ["bash", "-lc", command] })).toBe(kind as ReturnType<typeof kindOf>);
});

test("a very long call of a shell may show anything", () => {
  expect(kindOf("Bash", { command: "x".repeat(30_000) })).toBe("listing");
});

test("the memory for names is bounded", () => {
  const before = heapStats().heapSize;
  for (let at = 0; at < 3_000; at++) kindOf(`tool ${at} ${"x".repeat(10_000)}`);
  Bun.gc(true);
  expect(heapStats().heapSize - before).toBeLessThan(5_000_000);
});
