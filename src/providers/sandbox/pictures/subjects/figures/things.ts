import { hex } from "../../colour.ts";
import { dot, type Figure, pair, rect, shape, stroke, swinging } from "../figure.ts";

const lies = { pose: "stand", foot: 186, scale: 0.95 } as const;

export const book: Figure = {
  ...lies,
  main: hex("#3f6fa8"),
  accent: hex("#d8432f"),
  parts: [
    pair("main", "M100 176C74 164 40 164 8 172V72C40 62 76 64 100 78Z"),
    pair("cream", "M100 168C76 156 44 156 16 162V66C44 56 78 58 100 72Z"),
    pair("metal", "M100 72C96 70 92 68 88 67V160C92 162 96 164 100 168Z"),
    {
      tone: "metal",
      width: 3,
      isMirrored: true,
      path: "M28 84C46 78 66 80 84 88M28 100C46 94 66 96 84 104M28 116C46 110 66 112 84 120M28 132C46 126 60 127 72 132",
    },
    shape("accent", "M120 62H134V104L127 96L120 104Z"),
    shape(
      "gold",
      "M70 40L74 28L78 40L90 44L78 48L74 60L70 48L58 44ZM128 30L131 20L134 30L144 33L134 36L131 46L128 36L118 33Z",
    ),
  ],
};

export const lamp: Figure = {
  ...lies,
  foot: 192,
  main: hex("#f5c948"),
  accent: hex("#8d93a0"),
  parts: [
    stroke("glow", 5, "M100 4V-12M40 28L28 16M160 28L172 16M18 88H2M182 88H198"),
    shape(
      "main",
      "M100 16C144 16 168 50 164 86C160 116 134 126 130 152H70C66 126 40 116 36 86C32 50 56 16 100 16Z",
    ),
    shape("light", "M58 76C58 50 74 36 92 34C78 44 72 62 74 82C68 90 58 86 58 76Z"),
    stroke("dark", 5, "M82 152V104L92 92L100 106L108 92L118 104V152"),
    shape("metal", rect(70, 150, 60, 12, 4)),
    shape("metalDark", rect(72, 163, 56, 11, 4)),
    shape("metal", rect(76, 175, 48, 9, 4)),
    shape("ink", "M86 184H114C112 194 88 194 86 184Z"),
  ],
};

export const computer: Figure = {
  ...lies,
  main: hex("#3a4468"),
  accent: hex("#5fd3b0"),
  parts: [
    shape("metalDark", "M24 40C24 32 30 28 38 28H162C170 28 176 32 176 40V142H24Z"),
    shape("ink", rect(32, 36, 136, 98, 4)),
    shape("main", "M32 36H168V52H32Z"),
    shape("red", dot(42, 44, 3.4)),
    shape("gold", dot(53, 44, 3.4)),
    shape("leaf", dot(64, 44, 3.4)),
    stroke("accent", 5, "M44 66H86M60 82H118M60 98H102M44 114H72"),
    stroke("pink", 5, "M94 66H120M126 82H142"),
    stroke("gold", 5, "M110 98H148M80 114H98"),
    shape("metal", "M8 146H192L184 172C182 178 176 180 168 180H32C24 180 18 178 16 172Z"),
    shape("metalDark", "M74 166H126V174C126 176 74 176 74 174ZM30 152H170L172 160H28Z"),
  ],
};

export const phone: Figure = {
  ...lies,
  foot: 194,
  main: hex("#4f6fd0"),
  accent: hex("#f29ab2"),
  parts: [
    shape("ink", rect(52, 6, 96, 188, 18)),
    shape("main", rect(58, 14, 84, 172, 12)),
    shape("light", "M58 100C80 80 112 120 142 92V174C142 182 138 186 130 186H70C62 186 58 182 58 174Z"),
    shape("accent", "M58 132C84 116 108 150 142 128V174C142 182 138 186 130 186H70C62 186 58 182 58 174Z"),
    shape("ink", rect(84, 16, 32, 9, 4)),
    shape("white", "M78 46h44v8h-44ZM86 62h28v6h-28Z"),
    shape("gold", dot(114, 96, 11)),
    shape("white", rect(84, 178, 32, 4, 2)),
  ],
};

export const camera: Figure = {
  ...lies,
  main: hex("#3c4158"),
  accent: hex("#e9c9a0"),
  parts: [
    stroke("woodDark", 6, "M18 84C4 40 60 14 100 14C140 14 196 40 182 84"),
    shape("metal", "M66 62L78 42H122L134 62Z"),
    shape("metal", rect(30, 50, 26, 14, 4)),
    shape("red", rect(148, 52, 18, 10, 4)),
    shape("metal", rect(10, 60, 180, 118, 16)),
    shape("main", rect(10, 84, 180, 72)),
    shape("metalDark", dot(100, 120, 50)),
    shape("ink", dot(100, 120, 42)),
    shape("blue", dot(100, 120, 29)),
    shape("ink", dot(100, 120, 15)),
    shape("glass", "M80 112C84 100 96 94 106 96C96 100 90 108 90 120C84 122 78 118 80 112Z"),
    shape("gold", rect(156, 68, 22, 10, 3)),
  ],
};

export const guitar: Figure = {
  ...lies,
  foot: 196,
  scale: 1.2,
  main: hex("#d98a3c"),
  accent: hex("#5a3524"),
  parts: [
    shape("accent", "M88 8H112V34H88Z"),
    pair("metal", "M80 12h8v5h-8ZM80 24h8v5h-8Z"),
    shape("woodDark", rect(93, 32, 14, 84)),
    shape(
      "dark",
      "M100 94C140 92 142 118 130 130C152 142 152 196 100 196C48 196 48 142 70 130C58 118 60 92 100 94Z",
    ),
    shape(
      "main",
      "M98 98C132 96 134 118 122 130C144 142 142 190 98 190C56 190 54 142 74 130C62 118 66 98 98 98Z",
    ),
    shape("accent", dot(100, 134, 17)),
    shape("ink", dot(100, 134, 13)),
    shape("accent", rect(80, 168, 40, 8, 3)),
    stroke("cream", 1.4, "M95 30V170M98.5 30V170M102 30V170M105 30V170"),
    stroke("metal", 1.4, "M93 48H107M93 62H107M93 76H107M93 90H107"),
    swinging(
      shape("ink", "M154 62V30L178 24V56A9 7 0 1 1 172 50V36L160 39V68A9 7 0 1 1 154 62Z"),
      [166, 50],
      6,
    ),
  ],
};

export const piano: Figure = {
  ...lies,
  scale: 1.2,
  main: hex("#2f3042"),
  accent: hex("#b8703f"),
  parts: [
    shape("dark", "M40 20L172 8L160 84H44Z"),
    stroke("accent", 4, "M70 84L92 30"),
    shape("main", "M18 84H186C190 104 186 116 180 120H18Z"),
    shape("cream", rect(22, 104, 156, 20, 3)),
    stroke(
      "metalDark",
      1.4,
      "M36 104V124M50 104V124M64 104V124M78 104V124M92 104V124M106 104V124M120 104V124M134 104V124M148 104V124M162 104V124",
    ),
    shape(
      "ink",
      "M32 104h8v11h-8ZM46 104h8v11h-8ZM74 104h8v11h-8ZM88 104h8v11h-8ZM102 104h8v11h-8ZM130 104h8v11h-8ZM144 104h8v11h-8Z",
    ),
    shape("main", "M14 122H186V134H14Z"),
    shape("main", "M26 134H40L36 186H30ZM160 134H174L170 186H164ZM96 134H104V176H96Z"),
    shape("gold", "M88 176H112V182H88Z"),
    swinging(
      shape("gold", "M126 44V16L150 10V40A8 6 0 1 1 145 35V20L131 23V49A8 6 0 1 1 126 44Z"),
      [138, 32],
      6,
    ),
  ],
};

export const clock: Figure = {
  ...lies,
  main: hex("#c9543e"),
  accent: hex("#fbf3e2"),
  parts: [
    pair("dark", "M60 168L44 190H58L74 174Z"),
    pair("gold", "M40 54C24 36 40 10 66 18L72 30Z"),
    stroke("metalDark", 6, "M74 18C84 4 116 4 126 18"),
    shape("main", dot(100, 106, 76)),
    shape("dark", "M154 52C190 92 178 160 122 178C164 150 172 96 154 52Z"),
    shape("accent", dot(100, 106, 60)),
    stroke("ink", 4, "M100 52V60M100 152V160M46 106H54M146 106H154"),
    stroke(
      "metalDark",
      2.4,
      "M127 59L124 65M73 59L76 65M147 79L141 82M53 79L59 82M147 133L141 130M53 133L59 130M127 153L124 147M73 153L76 147",
    ),
    stroke("ink", 6, "M100 106L72 86"),
    stroke("ink", 4, "M100 106L112 64"),
    swinging(stroke("red", 2.4, "M100 116L104 60"), [100, 106], 18),
    shape("ink", dot(100, 106, 6)),
  ],
};
