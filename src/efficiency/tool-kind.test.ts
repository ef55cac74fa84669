import { expect, test } from "bun:test";
import { toolKindOf } from "./tool-kind.ts";

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
  ["oracle", "unknown"],
  ["", "unknown"],
] as const)("%s is a tool of the kind %s", (name, kind) => {
  expect(toolKindOf(name)).toBe(kind);
});
