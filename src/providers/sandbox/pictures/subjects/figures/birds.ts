import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, shape, stroke, swinging } from "../figure.ts";

export const owl: Figure = {
  pose: "stand",
  foot: 190,
  scale: 0.95,
  main: hex("#9a7352"),
  accent: hex("#f0d9b5"),
  parts: [
    stroke("wood", 12, "M30 188H170"),
    shape(
      "main",
      "M52 70C48 40 70 24 100 24C130 24 152 40 148 70C156 120 148 184 100 186C52 184 44 120 52 70Z",
    ),
    pair("dark", "M50 84C36 110 42 150 62 168C70 140 66 108 60 88Z"),
    shape("accent", "M68 104C82 92 118 92 132 104C136 150 122 176 100 178C78 176 64 150 68 104Z"),
    stroke(
      "main",
      4,
      "M84 118L91 125L98 118M102 118L109 125L116 118M76 136L83 143L90 136M93 136L100 143L107 136M110 136L117 143L124 136M86 154L93 161L100 154L107 161L114 154",
    ),
    pair("dark", "M54 56C48 40 48 26 52 16C66 22 78 30 86 40Z"),
    pair("accent", dot(78, 72, 25)),
    pair("gold", dot(79, 73, 17)),
    pair("ink", dot(80, 74, 10)),
    pair("white", dot(84, 69, 3.6)),
    shape("gold", "M92 84H108L100 102Z"),
    pair("gold", "M76 182a6 7 0 1 0 .1 0ZM88 182a6 7 0 1 0 .1 0Z"),
  ],
};

export const bird: Figure = {
  pose: "stand",
  foot: 184,
  scale: 0.78,
  main: hex("#4a90c9"),
  accent: hex("#f0803c"),
  parts: [
    shape("darker", "M136 118L194 132L186 148L132 142Z"),
    stroke("woodDark", 5, "M94 160L90 184M112 160L112 184M82 184H96M104 184H120"),
    shape(
      "main",
      "M44 92C44 60 70 44 92 48C116 52 150 96 152 124C150 152 122 166 98 164C64 162 42 132 44 92Z",
    ),
    shape("accent", "M46 104C50 92 70 96 84 110C98 126 98 154 92 164C62 158 44 134 46 104Z"),
    swinging(shape("dark", "M92 104C116 96 150 110 168 138C140 146 104 144 92 126Z"), [98, 114], 5),
    stroke("light", 3, "M110 122C124 122 138 128 148 134M106 112C122 112 138 118 150 126"),
    shape("gold", "M46 80L20 90L46 96Z"),
    shape("ink", dot(66, 78, 7)),
    shape("white", dot(63.5, 75, 2.6)),
  ],
};

export const duck: Figure = {
  pose: "float",
  foot: 166,
  scale: 0.8,
  main: hex("#f6c945"),
  accent: hex("#f0803c"),
  parts: [
    shape(
      "main",
      "M30 128C20 112 24 104 34 110C52 122 70 116 82 112C120 98 166 108 176 118C190 108 194 116 186 132C178 160 140 174 102 172C66 170 40 156 30 128Z",
    ),
    swinging(shape("dark", "M92 130C118 116 156 120 172 132C158 154 112 158 92 130Z"), [96, 132], 4),
    stroke("light", 3, "M112 140C128 146 144 144 156 136"),
    shape("main", dot(66, 76, 35)),
    shape("main", "M40 96C46 112 60 124 84 124L96 90Z"),
    shape("accent", "M36 72C18 70 8 78 10 84C18 92 34 92 44 90Z"),
    shape("ink", dot(56, 66, 6)),
    shape("white", dot(54, 63, 2.4)),
    shape("pink", oval(64, 86, 8, 5)),
  ],
};

export const penguin: Figure = {
  pose: "stand",
  foot: 194,
  scale: 0.95,
  main: hex("#2f3a56"),
  accent: hex("#f5a63c"),
  parts: [
    pair("accent", oval(80, 188, 19, 8)),
    swinging(pair("dark", "M54 96C32 116 26 146 34 160C46 154 58 130 62 112Z"), [56, 98], 6),
    shape(
      "main",
      "M100 16C136 16 148 50 148 92C154 140 144 188 100 188C56 188 46 140 52 92C52 50 64 16 100 16Z",
    ),
    shape(
      "white",
      "M100 78C128 78 134 110 132 136C130 166 120 180 100 180C80 180 70 166 68 136C66 110 72 78 100 78Z",
    ),
    pair("white", oval(80, 64, 20, 22)),
    ...eyes(82, 62, 7),
    shape("accent", "M88 74H112L100 90Z"),
    pair("pink", oval(68, 80, 7, 4.5)),
  ],
};

export const butterfly: Figure = {
  pose: "fly",
  foot: 170,
  scale: 0.7,
  main: hex("#e2702f"),
  accent: hex("#f7c948"),
  parts: [
    swinging(pair("main", "M98 98C84 40 30 14 14 42C4 74 46 108 98 104Z"), [100, 100], 3),
    swinging(pair("accent", "M90 88C76 54 44 38 32 52C28 70 54 90 90 92Z"), [100, 100], 3),
    swinging(pair("dark", "M98 104C60 104 28 124 34 152C46 176 86 156 100 112Z"), [100, 100], 3),
    swinging(pair("accent", dot(60, 138, 11)), [100, 100], 3),
    pair("white", "M24 44a4 4 0 1 0 .1 0ZM34 34a3 3 0 1 0 .1 0ZM20 58a3 3 0 1 0 .1 0Z"),
    shape("ink", "M94 76C94 66 106 66 106 76L104 150C102 160 98 160 96 150Z"),
    pair("ink", "M97 70C92 54 84 46 76 42L75 44C83 49 90 57 95 71Z"),
    shape("ink", dot(100, 70, 8)),
  ],
};

export const bee: Figure = {
  pose: "fly",
  foot: 160,
  scale: 0.7,
  main: hex("#f5c03a"),
  accent: hex("#3a2f2a"),
  parts: [
    swinging(shape("glass", "M98 82C84 40 108 14 128 26C142 44 128 70 110 86Z"), [104, 84], 8),
    swinging(shape("glass", "M112 84C124 44 154 34 166 52C168 74 142 86 118 90Z"), [112, 86], 8),
    shape("accent", "M172 112L192 118L172 124Z"),
    shape("main", oval(112, 116, 64, 42)),
    shape(
      "accent",
      "M104 75C116 74 118 157 104 157C92 156 92 77 104 75ZM136 79C148 88 148 146 136 153C126 148 126 84 136 79Z",
    ),
    shape("main", dot(58, 108, 31)),
    stroke("accent", 4, "M46 82C40 66 32 60 24 60M64 78C64 62 58 52 50 50"),
    shape("accent", "M24 54a6 6 0 1 0 .1 0ZM50 44a6 6 0 1 0 .1 0Z"),
    shape("ink", dot(48, 106, 7)),
    shape("white", dot(46, 103, 2.6)),
    shape("pink", oval(58, 122, 7, 4.5)),
    stroke("ink", 2.4, "M36 122C40 128 46 128 50 125"),
  ],
};
