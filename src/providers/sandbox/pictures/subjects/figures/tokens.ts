import { hex } from "../../colour.ts";
import { dot, type Figure, oval, pair, rect, shape, stroke, swinging } from "../figure.ts";

const lies = { pose: "stand", foot: 186, scale: 0.95 } as const;

export const key: Figure = {
  ...lies,
  main: hex("#e3b23c"),
  accent: hex("#b5822c"),
  parts: [
    shape(
      "main",
      "M100 8C134 8 152 32 148 60C144 82 126 92 112 96V188H88V96C74 92 56 82 52 60C48 32 66 8 100 8ZM100 30C84 30 74 40 74 54C74 68 84 78 100 78C116 78 126 68 126 54C126 40 116 30 100 30Z",
    ),
    shape("main", "M110 132H140V150H110ZM110 160H150V180H110Z"),
    shape(
      "accent",
      "M104 96H112V188H104ZM126 16C146 26 152 44 148 60C144 80 128 90 114 95C132 80 140 48 126 16Z",
    ),
    shape("pale", "M66 40C70 28 78 20 90 16C80 26 74 36 72 48C68 50 64 46 66 40Z"),
  ],
};

export const coin: Figure = {
  ...lies,
  main: hex("#f2bd3f"),
  accent: hex("#c98a24"),
  parts: [
    ...[172, 158, 144].flatMap((y) => [
      shape("accent", `M30 ${y}V${y + 10}C30 ${y + 24} 126 ${y + 24} 126 ${y + 10}V${y}Z`),
      shape("main", oval(78, y, 48, 12)),
    ]),
    shape("accent", dot(128, 86, 62)),
    shape("main", dot(122, 84, 62)),
    shape("light", dot(122, 84, 51)),
    shape("main", dot(122, 84, 45)),
    shape("accent", "M122 50L132 73L157 75L138 91L144 116L122 103L100 116L106 91L87 75L112 73Z"),
    shape("white", "M82 50C90 40 100 34 110 32C98 42 90 52 86 64C80 64 78 56 82 50Z"),
    shape("white", "M178 20L181 10L184 20L194 23L184 26L181 36L178 26L168 23Z"),
  ],
};

export const gift: Figure = {
  ...lies,
  main: hex("#d8574a"),
  accent: hex("#f7c95c"),
  parts: [
    shape("main", rect(28, 92, 144, 94, 4)),
    shape("dark", "M124 92H172V182C172 185 171 186 168 186H124Z"),
    shape("light", rect(18, 66, 164, 30, 5)),
    shape("accent", rect(84, 66, 32, 120)),
    shape("accentDark", rect(84, 92, 32, 7)),
    swinging(pair("accent", "M100 66C78 62 52 52 54 32C60 12 92 22 100 66Z"), [100, 66], 2),
    pair("accentDark", "M96 60C84 54 70 46 70 36C76 30 92 42 96 60Z"),
    shape("accent", dot(100, 62, 11)),
  ],
};

export const heart: Figure = {
  ...lies,
  main: hex("#e2475c"),
  accent: hex("#f7a8b4"),
  parts: [
    shape(
      "dark",
      "M104 188C40 146 12 112 14 72C18 28 76 18 104 60C128 20 186 30 190 74C190 112 164 146 104 188Z",
    ),
    shape(
      "main",
      "M98 182C36 140 10 108 12 68C16 26 72 16 98 56C122 18 178 28 182 70C182 108 156 142 98 182Z",
    ),
    shape("accent", "M34 62C38 44 52 36 66 38C52 46 46 60 48 78C42 84 32 76 34 62Z"),
    shape("accent", "M44 92a6 6 0 1 0 .1 0Z"),
  ],
};

export const star: Figure = {
  ...lies,
  pose: "hover",
  main: hex("#f7c948"),
  accent: hex("#fff0b8"),
  parts: [
    shape("accent", "M14 190C40 150 70 120 96 100L112 118C84 140 50 170 14 190Z"),
    shape("main", "M120 10L142 56L192 62L155 96L166 146L120 121L76 146L86 96L48 62L98 56Z"),
    shape("light", "M120 10L120 121L76 146L86 96L48 62L98 56Z"),
  ],
};

export const crown: Figure = {
  ...lies,
  foot: 170,
  main: hex("#f2bd3f"),
  accent: hex("#c23a55"),
  parts: [
    shape("accent", "M40 84C60 60 140 60 160 84L156 130H44Z"),
    shape("main", "M22 60L60 96L100 34L140 96L178 60L164 150H36Z"),
    shape("dark", "M140 96L178 60L164 150H132Z"),
    shape("main", rect(34, 140, 132, 28, 6)),
    shape("light", "M36 144H164V150H36Z"),
    shape("accent", `${dot(22, 54, 10)}${dot(178, 54, 10)}${dot(100, 26, 12)}`),
    shape("blue", "M100 146L110 155L100 164L90 155Z"),
    pair("leaf", dot(62, 155, 7)),
  ],
};

export const umbrella: Figure = {
  ...lies,
  foot: 196,
  main: hex("#e0574a"),
  accent: hex("#fbf3e2"),
  parts: [
    stroke("wood", 6, "M100 16V176C100 194 124 194 124 178"),
    shape(
      "main",
      "M10 104C14 52 52 24 100 24C148 24 186 52 190 104C180 92 160 92 150 104C140 92 112 92 100 104C88 92 60 92 50 104C40 92 20 92 10 104Z",
    ),
    shape(
      "accent",
      "M100 24C76 44 56 72 50 104C60 92 88 92 100 104C112 92 140 92 150 104C144 72 124 44 100 24Z",
    ),
    shape(
      "main",
      "M100 24C92 48 88 76 88 97C93 98 97 101 100 104C103 101 107 98 112 97C112 76 108 48 100 24Z",
    ),
    shape("wood", dot(100, 20, 5)),
  ],
};

export const ball: Figure = {
  ...lies,
  main: hex("#f6f4ef"),
  accent: hex("#2f3042"),
  parts: [
    shape("main", dot(100, 106, 80)),
    shape(
      "accent",
      "M100 78L126 97L116 128H84L74 97ZM100 26L118 38L100 52L82 38C88 30 94 27 100 26ZM172 82L152 86L156 60C164 66 170 74 172 82ZM28 82C30 74 36 66 44 60L48 86ZM58 168L62 146L84 156L80 182C72 180 64 174 58 168ZM142 168C136 174 128 180 120 182L116 156L138 146Z",
    ),
    stroke("accent", 3, "M100 78V52M126 97L152 86M116 128L138 146M84 128L62 146M74 97L48 86"),
  ],
};

export const shoe: Figure = {
  ...lies,
  foot: 170,
  main: hex("#e0574a"),
  accent: hex("#fbf3e2"),
  parts: [
    shape(
      "main",
      "M18 66C22 54 36 56 44 60C58 68 70 64 80 52C92 60 104 84 128 100C150 112 186 112 190 144H16C12 116 12 90 18 66Z",
    ),
    shape("dark", "M18 66C14 90 12 116 16 144H62C44 126 40 90 44 60C36 56 22 54 18 66Z"),
    shape("accent", "M12 142H192C196 166 186 170 172 170H30C16 170 8 164 12 142Z"),
    stroke("accent", 6, "M78 72L92 62M92 88L106 76M106 102L120 92"),
    shape("accent", "M56 122C84 130 108 124 130 112C116 132 88 142 56 134Z"),
    stroke("red", 4, "M16 156H188"),
  ],
};

export const chair: Figure = {
  ...lies,
  foot: 192,
  scale: 1.1,
  main: hex("#c98a3c"),
  accent: hex("#6f4a35"),
  parts: [
    pair("accent", "M52 168H66L58 192H50Z"),
    shape("main", "M48 40C48 14 152 14 152 40V116H48Z"),
    stroke("dark", 2.4, "M84 28V110M116 28V110"),
    shape("light", rect(44, 108, 112, 34, 12)),
    pair("main", "M26 88C26 72 54 72 54 88V160H32C28 160 26 158 26 154Z"),
    shape("dark", rect(40, 138, 120, 30, 8)),
    shape("pale", "M70 66C88 58 112 58 130 66L126 106C110 112 90 112 74 106Z"),
  ],
};
