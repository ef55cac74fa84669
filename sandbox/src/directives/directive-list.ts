type DirectiveNote = {
  /** An example of how to write it. */
  readonly directive: string;
  readonly effect: string;
};

/** Every directive, for the sandbox's own explanation and for the API reference. */
export const SANDBOX_DIRECTIVES: readonly DirectiveNote[] = [
  {
    directive: "[sandbox:error=429]",
    effect:
      "the upstream fails with that status (300 to 599) before the first byte. You get 400 for 400, 413 and 422, 504 for 408, 503 for 429, and 502 for all others",
  },
  { directive: "[sandbox:cut=after:20]", effect: "the stream breaks off after 20 words (0 to 10000)" },
  {
    directive: "[sandbox:delay=3s]",
    effect: "the answer takes this long, spread over its words (250ms, 3s, 2m; at most 120s)",
  },
  {
    directive: "[sandbox:first-byte=2s]",
    effect: "the first byte arrives after this time (at most 120s, together with a delay)",
  },
  {
    directive: "[sandbox:tokens=500]",
    effect: "the text has this many tokens; JSON and tool calls stay whole",
  },
  { directive: "[sandbox:usage=none]", effect: "no usage is reported, so Bursar's estimate is charged" },
  {
    directive: "[sandbox:finish=length]",
    effect: "the answer ends with this finish reason (stop, length, content_filter)",
  },
  { directive: "[sandbox:echo]", effect: "gives your message back" },
  { directive: "[sandbox:refusal]", effect: "declines to answer" },
  { directive: "[sandbox:reasoning]", effect: "thinks aloud first" },
  {
    directive: "[sandbox:reasoning=signed]",
    effect: "thinks aloud, and requires that reasoning back with the tool result",
  },
  {
    directive: '[sandbox:call=NAME {"key": "value"}]',
    effect: "calls a tool (up to 16); without the JSON, its required arguments are made up",
  },
  {
    directive: "[sandbox:fail]",
    effect: "the call fails, at no charge: chat, image or audio, or a video at its end",
  },
  { directive: "[sandbox:processing=10s]", effect: "a video takes this long (at most 120s)" },
];
