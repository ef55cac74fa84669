/** Answers a directive that nobody can read: a test that misspells one must not pass in silence. */
export function explainDirectives(written: string): string {
  return [
    `This is Bursar's sandbox. I cannot read ${JSON.stringify(written)}. Directives are written like this:`,
    "",
    "- [sandbox:error=429]: fails with that status before the first byte (300 to 599)",
    "- [sandbox:cut=after:20]: the stream breaks off after 20 words (0 to 10000)",
    "- [sandbox:delay=3s]: the answer takes that long, spread over its words (250ms, 3s, 2m; at most 120s)",
    "- [sandbox:first-byte=2s]: the first byte comes that late (at most 120s)",
    "- [sandbox:tokens=500]: an answer of that many tokens",
    "- [sandbox:usage=none]: no usage is reported",
    "- [sandbox:finish=length]: that finish reason (stop, length, content_filter)",
    "- [sandbox:echo]: gives your message back",
    "- [sandbox:refusal]: declines to answer",
    "- [sandbox:reasoning]: thinks aloud first; [sandbox:reasoning=signed] wants that back with a tool's result",
    '- [sandbox:call=NAME {"key": "value"}]: calls a tool (up to 16)',
    "- [sandbox:fail]: fails for no reason; for films [sandbox:processing=10s] says how long they take",
    "",
    "At most 32 of them are read, from the last user message only.",
  ].join("\n");
}
