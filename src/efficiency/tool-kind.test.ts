import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { resultKindOf, toolKindOf } from "./tool-kind.ts";

test.each([
  ["Bash", "shell"],
  ["exec_command", "shell"],
  ["run_terminal_cmd", "shell"],
  ["Read", "file"],
  ["str_replace_editor", "file"],
  ["get_file_contents", "file"],
  ["mcp__github__getFileContents", "file"],
  ["Grep", "search"],
  ["list-files-by-glob", "search"],
  ["get_user_details", "data"],
  ["searchFlights", "data"],
  ["execute_sql", "data"],
  ["TodoWrite", "file"],
  ["get_selection", "file"],
  ["get_snippet", "file"],
  ["get_cell", "file"],
  ["fetch_gist", "file"],
  ["get_resource", "file"],
  ["get_package_json", "file"],
  ["getConfig", "file"],
  ["fetch_raw", "file"],
  ["mcp__git__git_show", "file"],
  ["get_code", "file"],
  ["get_script", "file"],
  ["search_code", "file"],
  ["codebase_search", "file"],
  ["list_code_definition_names", "file"],
  ["find_symbol", "file"],
  ["run_code", "shell"],
  ["execute_script", "shell"],
  ["code_interpreter", "shell"],
  ["list_resources", "data"],
  ["get_package_info", "data"],
  ["oracle", "unknown"],
  ["", "unknown"],
] as const)("%s is a tool of the kind %s", (name, kind) => {
  expect(toolKindOf(name)).toBe(kind);
});

test.each([
  ["fetch", { url: "https://example.org/raw/package.json" }, "file"],
  ["fetch", { url: "https://example.org/raw/tsconfig.json?ref=main" }, "file"],
  ["fetch", { url: "https://example.org/raw/tsconfig.json?ref=main#L3" }, "file"],
  ["get_item", { name: "analysis.ipynb" }, "file"],
  ["get_item", { filePath: "./a" }, "file"],
  ["get_item", { id: 7, file_name: "a" }, "file"],
  ["get_item", { id: 7, file: "a" }, "file"],
  ["get_item", { path: ".eslintrc" }, "file"],
  ["get_item", { path: "packages/app/.prettierrc" }, "file"],
  ["get_item", { repo: "r", path: "/.swcrc" }, "file"],
  ["get_item", { path: "lib/l10n/app_de.arb" }, "file"],
  ["get_item", { path: "a.code-workspace" }, "file"],
  ["get_item", { name: ".babelrc" }, "file"],
  ["get_item", { relative_path: "deploy/values.dev" }, "file"],
  ["get_item", { paths: ["deploy/values.dev"] }, "file"],
  ["get_item", { name: "values.dev" }, "data"],
  ["get_item", { path: "/api/v1.2/orders" }, "data"],
  ["get_item", { path: "/orders/1.5" }, "data"],
  ["get_user", { email: "somebody@example.org" }, "data"],
  ["get_user", { profile: "short" }, "data"],
  ["http_request", { path: "/v1/orders", format: "json" }, "data"],
  ["Bash", { command: "cat package.json" }, "listing"],
  ["Bash", { command: ["bash", "-lc", "cat a.json"] }, "listing"],
  ["Bash", { command: ["cat", "a.json"] }, "listing"],
  ["Bash", { command: "make package.json" }, "shell"],
  ["Bash", { command: "make | tail -5" }, "shell"],
  ["Bash", { command: "git show HEAD" }, "shell"],
  ["Bash", { command: "concat a.json" }, "shell"],
  ["Bash", { command: "tail -5 build.log" }, "shell"],
  ["Bash", { command: "tail -5 build.log.2" }, "shell"],
  ["Bash", { command: "git gc" }, "shell"],
  ["Bash", { command: "find . -type f" }, "shell"],
  ["Bash", { command: "make < a.sh" }, "shell"],
] as const)("%s with %j answers as a tool of the kind %s", (name, input, kind) => {
  expect(resultKindOf({ id: "1", name, arguments: JSON.stringify(input) })).toBe(kind);
  expect(resultKindOf({ id: "1", name, arguments: JSON.stringify(input, null, 2) })).toBe(kind);
});

test.each([
  "cd /repo && cat a.json",
  "cd /repo; cat a.json",
  'cd "/my repo" && cat a.json',
  "cd /repo\ncat a.json",
  "cd a && cd b && cat a.json",
  "ls -la || cat a.json",
  "make > build.log; cat a.json",
  "X=1 cat a.json",
  "sudo cat a.json",
  "timeout 5 cat a.json",
  "/bin/cat a.json",
  "cat < a.json",
  "find . -name '*.json' | xargs cat",
  "docker exec -it web cat a.json",
  "kubectl exec web -- cat a.json",
  "ssh host 'cat a.json'",
  "git show HEAD:a.json",
  "git -C /repo show 'main:a b.json'",
  "Get-Content a.json",
  "bat -p a.json",
  "batcat a.json",
  "sed -n 1,80p a.json",
  "sed '1,80p' a.json",
  "awk 1 a.json",
  "for f in a.sh b.sh; do cat $f; done",
  'while read -r f; do\n  cat "$f"\ndone < list',
  "if [ -f a.sh ]; then cat a.sh; fi",
  "test -f b || { cat a.sh; }",
  "if ! cat a.sh; then make; else cat b.sh; fi",
  "find . -name a.sh -exec cat {} +",
  "<a.sh cat",
  "< a.sh cat -A",
  "cat<a.sh",
  "\\cat a.sh",
  "cat logger.log.ts",
  "cat build.log.sh",
  "gc a.sh",
])("a shell shows a file with %s", (command) => {
  expect(resultKindOf({ id: "1", name: "Bash", arguments: JSON.stringify({ command }) })).toBe("listing");
});

test("names of any length have a kind, and long ones are not kept", () => {
  Bun.gc(true);
  const before = heapStats().heapSize;
  for (let at = 0; at < 40; at++) {
    const name = Buffer.from(`run_command_${at}_${"x".repeat(1 << 20)}`).toString();
    expect(toolKindOf(name)).toBe("shell");
  }
  Bun.gc(true);
  expect(heapStats().heapSize - before).toBeLessThan(8 << 20);
});
