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
  ["get_user", { email: "somebody@example.org" }, "data"],
  ["get_user", { profile: "short" }, "data"],
  ["http_request", { path: "/v1/orders", format: "json" }, "data"],
  ["Bash", { command: "cat package.json" }, "listing"],
  ["Bash", { command: "make package.json" }, "shell"],
] as const)("%s with %j answers as a tool of the kind %s", (name, input, kind) => {
  expect(resultKindOf({ id: "1", name, arguments: JSON.stringify(input) })).toBe(kind);
  expect(resultKindOf({ id: "1", name, arguments: JSON.stringify(input, null, 2) })).toBe(kind);
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
