import { describe, expect, test } from "bun:test";
import type { Tool } from "../../../gateway/src/contract/index.ts";
import { bash, callsOf, decide, text, tool, weather } from "./testing.ts";

describe("a tool with only common words in its name is called by all of them together", () => {
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
    "Remove user 17",
  ])("and %j calls it", (prompt) => {
    expect(callsOf(prompt, { tools: users })).toEqual(['deleteUser {"id":17}']);
  });

  test("a verb also calls tools named by its synonyms, unless one is named by the verb itself", () => {
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

  test("and of two tools for one subject only the named one is called", () => {
    const orders = [tool("get_order", id), tool("delete_order", id)];
    expect(callsOf("Delete order 17", { tools: orders })).toEqual(['delete_order {"id":17}']);
    expect(callsOf("Get order 17 and delete the order 18", { tools: orders })).toEqual([
      'get_order {"id":17}',
      'delete_order {"id":18}',
    ]);
  });
});

describe("a tool that changes something is called only if the prompt plainly means it", () => {
  const number = { type: "number" };
  const files = [
    tool("read_file", { path: text }, "Read a file"),
    tool("write_file", { path: text, content: text }, "Write content to a file"),
    tool("delete_file", { path: text }, "Delete a file"),
    tool("edit", { path: text, oldString: text, newString: text }, "Edit a file"),
  ];
  const mails = [tool("delete_email", { id: text }), tool("archive_email", { id: text })];
  const users = [tool("delete_user", { user_id: text }), tool("get_user", { user_id: text })];
  const tables = [tool("drop_table", { table: text }), tool("delete_rows", { table: text, where: text })];
  const branches = [tool("delete_branch", { repo: text, branch: text })];
  const bank = [
    tool("transfer_money", { from_account: text, to_account: text, amount: number }),
    tool("close_account", { account_id: text }),
    tool("run_sql", { query: text }),
  ];
  const orders = [
    tool("cancel_order", { order_id: text }),
    tool("refund_order", { order_id: text, amount: number }),
  ];

  test.each<[string, Tool[]]>([
    ["Remove the unused imports from src/app.ts", files],
    ["Delete the first line of notes.txt", files],
    ["Delete the function foo from bar.ts", files],
    ["Remove the trailing whitespace in README.md", files],
    ["Erase the TODO comment in main.go", files],
    ["Delete a.txt's last line", files],
    ["Remove a.txt from the index", files],
    ["Delete old logs, but not app.log", files],
    ["Delete everything except config.json", files],
    ["Delete a.txt but keep b.txt", files],
    ["Write tests for utils.ts", files],
    ["Create unit tests for src/auth.ts", files],
    ["Replace foo with bar in a.txt", files],
    ["Delete all emails except 17", mails],
    ["Delete all emails. Keep 17.", mails],
    ["Delete every user but user 5", users],
    ["Delete the users but keep user 8", users],
    ["Delete user 3, not user 4", users],
    ["Delete user 3 as soon as I confirm", users],
    ["Delete user 3 if nobody needs him", users],
    ["Delete the user 3 comments", users],
    ["Delete user 3's comments", users],
    ["Delete user 3", [tool("delete_all_users", {})]],
    ["Create a link to a.txt", files],
    ["Delete every branch except main in acme/web", branches],
    ["Delete the branch variable from the config", branches],
    ["Drop the table idea", tables],
    ["Run the unit tests without the slow ones", [bash]],
  ])("%j calls nothing", (prompt, tools) => {
    expect(callsOf(prompt, { tools })).toEqual(["answer"]);
  });

  test.each<[string, Tool[], string]>([
    ["I want to close my account", bank, "close_account, but the prompt does not say its account_id."],
    ["Delete the email of user 17", mails, "delete_email, but the prompt does not say its id."],
    ["Edit a.txt: replace foo with bar", files, "edit, but the prompt does not say its oldString."],
    ["Please call delete_user", users, "delete_user, but the prompt does not say its user_id."],
    ["Run the tests", [bash], "bash, but the prompt does not say its command."],
  ])("%j calls nothing, and the answer names the missing argument", (prompt, tools, expected) => {
    const wanting = {
      outcome: "explain" as const,
      text: `This is Bursar's sandbox. I would call ${expected}`,
    };
    expect(decide(prompt, { tools })).toEqual(wanting);
  });

  test.each<[string, Tool[], ...string[]]>([
    ["Delete a.txt", files, 'delete_file {"path":"a.txt"}'],
    [
      "Delete the files a.txt and b.txt",
      files,
      'delete_file {"path":"a.txt"}',
      'delete_file {"path":"b.txt"}',
    ],
    ["Write hello to a.txt", files, 'write_file {"path":"a.txt","content":"hello"}'],
    ['Save "not yet" to a.txt', files, 'write_file {"path":"a.txt","content":"not yet"}'],
    ["Archive email 9 and delete email 10", mails, 'delete_email {"id":"10"}', 'archive_email {"id":"9"}'],
    ["Delete the note and show user 3", users, 'get_user {"user_id":"3"}'],
    ["Do not delete user 3. Delete user 4.", users, 'delete_user {"user_id":"4"}'],
    ["Drop the table users", tables, 'drop_table {"table":"users"}'],
    ["Delete the branch old in acme/web", branches, 'delete_branch {"repo":"acme/web","branch":"old"}'],
    ["Run SELECT * FROM users LIMIT 5", bank, 'run_sql {"query":"SELECT * FROM users LIMIT 5"}'],
    [
      "Transfer $50 from account 11 to account 22",
      bank,
      'transfer_money {"from_account":"11","to_account":"22","amount":50}',
    ],
    ["Refund 20 dollars for order 77", orders, 'refund_order {"order_id":"77","amount":20}'],
  ])("%j calls it", (prompt, tools, ...expected) => {
    expect(callsOf(prompt, { tools })).toEqual(expected);
  });
});
