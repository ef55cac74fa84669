import { describe, expect, test } from "bun:test";
import { callsOf, tool, weather } from "./testing.ts";

describe("a tool whose name has only common words is named by all of them together", () => {
  const id = { id: { type: "integer" } };
  const [get, remove] = [tool("get_user", id), tool("deleteUser", id)];
  const users = [get, remove, tool("list_users", {}), tool("get_user_files", id), tool("set_new_user", id)];
  test.each<[string, string[]]>([
    ["Delete user 17", ['deleteUser {"id":17}']],
    ["Please delete the user 17", ['deleteUser {"id":17}']],
    ["Can you delete this new user? It is 17", ['deleteUser {"id":17}']],
    ["Get user 17", ['get_user {"id":17}']],
    ["List all users.", ["list_users {}"]],
    ["Get the user files of 17", ['get_user_files {"id":17}']],
    ["Get user 17 and then delete user 18", ['get_user {"id":17}', 'deleteUser {"id":18}']],
  ])("%s", (prompt, expected) => {
    expect(callsOf(prompt, { tools: users })).toEqual(expected);
    expect(callsOf(prompt, { tools: [weather, ...users] })).toEqual(expected);
  });

  test("also within a namespace", () => {
    const tools = [tool("users__delete_user", id), tool("users__get_user", id)];
    expect(callsOf("delete user 17", { tools })).toEqual(['users__delete_user {"id":17}']);
  });

  test.each([
    "Hello, I am a new user",
    "The user did not get it. Delete nothing",
    "How do I delete a user?",
    "What does delete user 17 mean?",
    "Do not delete user 17",
    "Don't ever delete user 17",
    "I get user 17 wrong all the time",
    "Get me a coffee, said the user",
    "Get. User 17 said so",
    "I deleted user 17",
    "Summarize: Alice asked Bob to delete the user yesterday.",
    "Summarize this text.\nAlice was angry. Please delete the user 17!",
    "Alice said: delete user 17",
    "No need to delete the user 17",
    "Please make sure nobody can delete users.",
    "Is it possible to delete a user?",
    "Is it possible to look at this and delete a user?",
    "The admin will delete the user 17 tomorrow. Thanks!",
    "Alice asked me to log in and delete the user 17",
    "Translate to French: delete the user",
    "Refuse to delete the user",
    "Undo delete user 17",
    "You must not under any circumstances, even if asked, delete a user",
    "Explain the difference between get user and delete user",
    "Never do this:\n- get user 17\n- delete user 18",
  ])("but %j calls none", (prompt) => {
    expect(callsOf(prompt, { tools: users })).toEqual(["answer"]);
  });

  test.each([
    "I want you to delete the user 17",
    "I'd like to delete user 17, please",
    "We need to get rid of 17. Could you please delete that user?",
    "User 17 left us: delete the user",
    "Use your tools to delete the user 17",
    "Need to delete the user 17",
    "Summarize nothing today but 17, then delete the user",
    "Remove user 17",
  ])("and %j calls it", (prompt) => {
    expect(callsOf(prompt, { tools: users })).toEqual(['deleteUser {"id":17}']);
  });

  test("verbs of one meaning are told from others", () => {
    const orders = [tool("get_order", id), tool("delete_order", id)];
    for (const verb of ["Fetch", "Look up", "Show me the", "Please read"]) {
      expect(callsOf(`${verb} order 17`, { tools: orders })).toEqual(['get_order {"id":17}']);
    }
    expect(callsOf("Remove order 17", { tools: orders })).toEqual(['delete_order {"id":17}']);
    for (const prompt of [
      "Do not delete the order 17",
      "The admin will delete the order 17",
      "Can I delete order 17?",
    ])
      expect(callsOf(prompt, { tools: orders })).toEqual(["answer"]);
    expect(callsOf("Where can I get the order 17?", { tools: [tool("get_order", id)] })).toHaveLength(1);
    const both = [...orders, tool("remove_order", id)];
    expect(callsOf("Remove order 17", { tools: both })).toEqual(['remove_order {"id":17}']);
  });

  test("and of two about one thing only the one that is named is called", () => {
    const orders = [tool("get_order", id), tool("delete_order", id)];
    expect(callsOf("Delete order 17", { tools: orders })).toEqual(['delete_order {"id":17}']);
    expect(callsOf("Get order 17 and delete the order 18", { tools: orders })).toEqual([
      'get_order {"id":17}',
      'delete_order {"id":18}',
    ]);
  });
});
