import { hex } from "../../colour.ts";
import { dot, type Figure, oval, pair, rect, shape, stroke, swinging } from "../figure.ts";

const served = { pose: "stand", foot: 186, scale: 0.95 } as const;

export const cup: Figure = {
  ...served,
  main: hex("#e9745a"),
  accent: hex("#5a3524"),
  parts: [
    swinging(
      stroke("pale", 5, "M78 62C68 48 88 40 78 22M100 60C90 44 110 36 100 16M122 62C112 48 132 40 122 22"),
      [100, 62],
      3,
    ),
    shape("cream", oval(98, 178, 76, 12)),
    stroke("main", 12, "M142 106C174 98 178 146 138 148"),
    shape("main", "M46 84H150C152 128 140 174 112 178H84C56 174 44 128 46 84Z"),
    shape("dark", "M124 84H150C152 128 140 174 112 178H100C122 160 128 124 124 84Z"),
    shape("light", oval(98, 84, 52, 13)),
    shape("accent", oval(98, 86, 45, 10)),
    shape("cream", "M84 86C84 80 96 80 98 84C100 80 112 80 112 86C112 90 104 92 98 94C92 92 84 90 84 86Z"),
    shape("pale", "M58 104C58 130 64 150 72 160C62 146 56 124 58 104Z"),
  ],
};

export const cake: Figure = {
  ...served,
  main: hex("#f3a3b5"),
  accent: hex("#fbf0dc"),
  parts: [
    pair("blue", "M62 40h8v32h-8Z"),
    shape("gold", rect(96, 34, 8, 38)),
    swinging(
      shape(
        "glow",
        "M66 40C58 30 62 22 66 16C70 22 74 30 66 40ZM100 34C92 24 96 16 100 8C104 16 108 24 100 34ZM134 40C126 30 130 22 134 16C138 22 142 30 134 40Z",
      ),
      [100, 36],
      2,
    ),
    shape("accent", rect(52, 70, 96, 50, 8)),
    shape(
      "main",
      "M52 78C52 66 60 64 100 64C140 64 148 66 148 78V92C142 104 132 102 128 94C122 106 110 106 106 94C100 108 88 106 86 94C80 106 68 104 66 94C62 102 54 100 52 92Z",
    ),
    shape("cream", rect(32, 116, 136, 60, 8)),
    shape(
      "main",
      "M32 124C32 114 40 112 100 112C160 112 168 114 168 124V140C160 154 148 150 146 140C140 154 124 154 120 140C114 156 98 154 94 140C88 154 72 154 68 140C64 152 50 152 46 142C42 150 34 148 32 140Z",
    ),
    shape(
      "red",
      "M44 168a5 5 0 1 0 .1 0ZM72 168a5 5 0 1 0 .1 0ZM100 168a5 5 0 1 0 .1 0ZM128 168a5 5 0 1 0 .1 0ZM156 168a5 5 0 1 0 .1 0Z",
    ),
    shape("metal", "M14 176H186C184 186 170 190 100 190C30 190 16 186 14 176Z"),
  ],
};

export const pizza: Figure = {
  ...served,
  main: hex("#f2c14e"),
  accent: hex("#c9543e"),
  parts: [
    shape("wood", oval(100, 128, 98, 56)),
    shape(
      "woodDark",
      "M2 132C8 166 50 188 100 188C150 188 192 166 198 132C196 158 150 184 100 184C50 184 4 158 2 132Z",
    ),
    shape("dark", oval(100, 122, 84, 46)),
    shape("main", oval(100, 118, 82, 44)),
    shape("pale", oval(100, 118, 68, 35)),
    shape(
      "accent",
      `${oval(70, 106, 15, 9)}${oval(122, 100, 15, 9)}${oval(100, 128, 16, 10)}${oval(142, 124, 14, 8)}${oval(58, 132, 13, 8)}${oval(96, 94, 12, 6)}`,
    ),
    stroke("leaf", 5, "M84 116L96 112M116 114L126 118M78 138L88 142M128 138L118 142M106 106L112 102"),
    stroke("dark", 2, "M100 118L100 74M100 118L176 104M100 118L162 148M100 118L40 150M100 118L26 104"),
    swinging(
      stroke("pale", 4, "M76 62C68 50 84 44 76 30M104 58C96 46 112 38 104 22M130 62C122 50 138 44 130 30"),
      [100, 60],
      3,
    ),
  ],
};

export const burger: Figure = {
  ...served,
  main: hex("#dd9a4c"),
  accent: hex("#7a4630"),
  parts: [
    shape("main", "M26 156H174C176 178 160 188 140 188H60C40 188 24 178 26 156Z"),
    shape("accent", rect(22, 132, 156, 28, 13)),
    shape("gold", "M22 130H178L150 140L136 156L120 140H60Z"),
    shape("red", rect(26, 114, 148, 16, 8)),
    shape(
      "leaf",
      "M16 112C28 98 40 118 54 106C68 96 80 118 96 106C110 96 124 118 138 106C152 96 168 116 184 106C188 118 176 124 162 120C148 126 130 118 118 122C100 126 84 118 70 122C52 126 34 122 22 124Z",
    ),
    shape("main", "M22 104C22 60 56 38 100 38C144 38 178 60 178 104Z"),
    shape("light", "M40 84C46 60 70 48 96 48C70 56 56 72 54 92C46 94 38 92 40 84Z"),
    shape(
      "cream",
      "M78 60a5 3.4 0 1 0 .1 0ZM104 52a5 3.4 0 1 0 .1 0ZM128 64a5 3.4 0 1 0 .1 0ZM96 74a5 3.4 0 1 0 .1 0ZM148 82a5 3.4 0 1 0 .1 0ZM118 84a5 3.4 0 1 0 .1 0Z",
    ),
  ],
};

export const icecream: Figure = {
  ...served,
  foot: 194,
  main: hex("#f29ab2"),
  accent: hex("#d99a54"),
  parts: [
    shape("accent", "M58 104H142L100 196Z"),
    stroke("woodDark", 2, "M68 108L112 168M88 106L124 146M132 108L88 168M112 106L76 146"),
    shape("cream", dot(74, 82, 33)),
    shape("woodDark", dot(128, 82, 33)),
    shape("main", dot(100, 50, 37)),
    shape("light", oval(86, 36, 12, 9)),
    shape(
      "main",
      "M58 96C62 114 74 110 78 102C84 116 98 116 102 104C108 118 122 114 124 104C130 112 140 110 142 98Z",
    ),
    shape("red", dot(104, 10, 11)),
    stroke("leafDark", 3, "M106 2C110 -8 118 -12 124 -12"),
    stroke("gold", 4, "M112 44L118 40M92 60L98 64M118 62L114 68"),
    stroke("blue", 4, "M82 54L78 48M104 32L98 30M106 74L112 74"),
  ],
};

export const apple: Figure = {
  ...served,
  foot: 177,
  scale: 0.85,
  main: hex("#d8432f"),
  accent: hex("#f5b73c"),
  parts: [
    shape(
      "main",
      "M80 84C96 66 134 76 128 122C124 162 104 184 80 174C56 184 36 162 32 122C26 76 64 66 80 84Z",
    ),
    shape("dark", "M108 78C132 86 132 120 126 134C118 164 100 180 80 174C110 160 120 118 108 78Z"),
    shape("pale", oval(54, 106, 8, 16)),
    stroke("woodDark", 6, "M80 86C78 70 82 58 90 50"),
    shape("leaf", "M86 66C94 44 118 40 132 48C124 68 104 74 86 66Z"),
    stroke("leafDark", 2, "M88 65C102 60 114 54 128 50"),
  ],
};

export const banana: Figure = {
  ...served,
  foot: 180,
  main: hex("#f5cf3f"),
  accent: hex("#8a6a2f"),
  parts: [
    shape(
      "main",
      "M34 62C44 124 98 156 170 128C180 126 184 136 176 144C116 198 30 178 16 74C16 62 30 54 34 62Z",
    ),
    shape("dark", "M16 78C34 150 104 176 178 138C182 138 180 140 176 144C116 198 30 178 16 78Z"),
    stroke("light", 4, "M32 88C48 134 100 156 150 146"),
    shape("accent", "M15 70L14 46C18 40 28 42 30 48L36 66C28 62 22 64 15 70Z"),
    shape("accent", "M168 128C180 124 188 132 182 142L172 146C166 140 164 134 168 128Z"),
  ],
};

export const fruit: Figure = {
  ...served,
  main: apple.main,
  accent: apple.accent,
  parts: [
    shape("accent", dot(140, 132, 38)),
    shape("accentLight", oval(128, 118, 9, 6)),
    shape("leaf", "M140 94C148 78 164 76 172 82C166 96 152 100 140 94Z"),
    ...apple.parts,
    shape("accentDark", "M28 178C60 190 140 190 176 172C160 192 60 196 28 178Z"),
  ],
};

export const bread: Figure = {
  ...served,
  main: hex("#dd9a4c"),
  accent: hex("#f6dfb4"),
  parts: [
    shape("wood", rect(8, 166, 184, 18, 8)),
    shape(
      "dark",
      "M20 150C16 104 52 70 100 70C148 70 184 104 180 150C178 168 160 172 146 168H54C40 172 22 168 20 150Z",
    ),
    shape(
      "main",
      "M24 144C22 102 56 74 100 74C144 74 178 102 176 144C174 160 158 164 144 160H56C42 164 26 160 24 144Z",
    ),
    stroke("accent", 9, "M58 100L70 134M92 88L102 124M126 90L134 124"),
    shape("light", "M40 116C46 98 58 88 66 86C56 98 52 110 52 124C46 126 40 122 40 116Z"),
    swinging(
      stroke("pale", 4, "M70 60C62 48 78 42 70 28M100 56C92 44 108 36 100 20M130 60C122 48 138 42 130 28"),
      [100, 60],
      3,
    ),
  ],
};

export const ramen: Figure = {
  ...served,
  main: hex("#c9443c"),
  accent: hex("#f2d28a"),
  parts: [
    swinging(stroke("pale", 4, "M60 54C52 42 68 36 60 22M86 50C78 38 94 30 86 14"), [72, 54], 3),
    stroke("woodDark", 6, "M112 100L188 24M124 104L196 38"),
    shape("cream", oval(100, 104, 88, 24)),
    shape("accent", oval(100, 104, 80, 19)),
    stroke(
      "gold",
      5,
      "M40 106C56 94 72 116 88 104M52 114C70 102 90 122 108 110M100 100C116 92 132 110 150 100",
    ),
    shape("white", oval(70, 98, 18, 10)),
    shape("gold", oval(70, 98, 9, 5.5)),
    shape("leafDark", "M122 96L150 82L160 98L136 110Z"),
    stroke("leaf", 4, "M96 94L104 90M108 112L116 116M88 114L80 118"),
    shape("pink", dot(116, 104, 10)),
    shape(
      "main",
      "M12 106C16 124 60 130 100 130C140 130 184 124 188 106C186 150 158 180 132 184H68C42 180 14 150 12 106Z",
    ),
    shape("dark", "M150 124C170 120 186 114 188 106C186 150 158 180 132 184H108C136 172 150 150 150 124Z"),
    stroke("gold", 4, "M34 138C60 150 140 150 166 138"),
  ],
};

export const bottle: Figure = {
  ...served,
  foot: 192,
  main: hex("#3c7a5a"),
  accent: hex("#f4e6c6"),
  parts: [
    shape("glass", "M132 96H184C186 124 176 136 160 138V180H176V190H140V180H156V138C140 136 130 124 132 96Z"),
    shape("red", "M134 108H182C182 124 174 132 158 134C142 132 134 124 134 108Z"),
    shape("wood", rect(74, 2, 24, 20, 4)),
    shape(
      "main",
      "M74 18H98V62C100 76 122 82 122 102V180C122 190 118 192 110 192H62C54 192 50 190 50 180V102C50 82 72 76 74 62Z",
    ),
    shape("dark", "M90 18H98V62C100 76 122 82 122 102V180C122 190 118 192 110 192H98C108 150 104 96 92 76Z"),
    shape("accent", rect(50, 112, 72, 50)),
    stroke("accentDark", 3, "M62 126H110M70 138H102M70 150H102"),
    shape("light", rect(58, 92, 6, 90, 3)),
  ],
};
