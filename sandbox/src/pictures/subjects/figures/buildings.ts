import { hex } from "../../colour.ts";
import { dot, type Figure, pair, rect, shape, stroke, swinging } from "../figure.ts";

const built = { pose: "stand", foot: 190, scale: 1.3 } as const;

export const house: Figure = {
  ...built,
  main: hex("#f3e2c7"),
  accent: hex("#c2503c"),
  parts: [
    shape("pale", "M146 26a9 8 0 1 0 .1 0ZM158 10a12 10 0 1 0 .1 0Z"),
    shape("accentDark", rect(134, 44, 20, 44, 2)),
    shape("main", rect(34, 96, 132, 94)),
    shape("dark", "M104 96H166V190H104Z"),
    shape("accent", "M14 102L62 44H140L188 102Z"),
    shape("accentDark", "M104 44H140L188 102H104Z"),
    stroke("accentLight", 2, "M30 88H172M44 70H158"),
    shape("wood", "M86 190V142C86 128 116 128 116 142V190Z"),
    shape("gold", dot(109, 164, 3)),
    pair("white", rect(44, 116, 32, 36, 3)),
    pair("glow", rect(48, 120, 24, 28)),
    pair("white", "M59 116H61V152H59ZM44 133H76V135H44Z"),
    pair("wood", rect(42, 152, 36, 8, 2)),
    pair("red", "M48 146a5 5 0 1 0 .1 0ZM60 144a5 5 0 1 0 .1 0ZM72 146a5 5 0 1 0 .1 0Z"),
    pair("leaf", "M16 190C12 170 30 162 38 172C50 168 54 182 48 190Z"),
  ],
};

export const castle: Figure = {
  ...built,
  scale: 1.5,
  main: hex("#cfc5c9"),
  accent: hex("#4f6fb0"),
  parts: [
    shape("dark", rect(76, 50, 48, 140)),
    shape("accent", "M70 52L100 2L130 52Z"),
    swinging(shape("red", "M100 2V-16L122 -9L100 -3Z"), [100, -8], 6),
    shape("main", "M52 108H148V190H52Z"),
    shape("main", "M52 108V96H64V108H76V96H88V108H112V96H124V108H136V96H148V108Z"),
    pair("main", rect(22, 84, 40, 106)),
    pair("dark", rect(46, 84, 16, 106)),
    pair("accent", "M14 86L42 34L70 86Z"),
    pair("accentDark", "M42 34L70 86H48Z"),
    pair("glow", "M36 112C36 102 48 102 48 112V128H36Z"),
    shape("glow", "M92 74C92 62 108 62 108 74V92H92Z"),
    shape("woodDark", "M82 190V150C82 128 118 128 118 150V190Z"),
    stroke("wood", 2.4, "M94 136V190M106 136V190M82 162H118"),
    pair("glow", "M62 130h10v18h-10Z"),
    pair("dark", "M30 140h12v6h-12ZM26 160h12v6h-12Z"),
  ],
};

export const lighthouse: Figure = {
  ...built,
  scale: 1.45,
  main: hex("#f7f4ee"),
  accent: hex("#d8432f"),
  parts: [
    swinging(shape("glass", "M100 44L-60 10V76Z"), [100, 44], 3),
    swinging(shape("glass", "M100 44L260 14V70Z"), [100, 44], -3),
    shape("woodDark", "M30 196C44 172 66 176 84 172H118C140 172 158 178 172 196Z"),
    shape("main", "M80 66H120L134 180H66Z"),
    shape("accent", "M77 90H123L126 114H74ZM71 138H129L132 162H68Z"),
    shape("dark", "M106 66H120L134 180H112Z"),
    shape("ink", "M92 180V164C92 154 108 154 108 164V180Z"),
    shape("metalDark", rect(72, 60, 56, 8, 2)),
    stroke("metalDark", 2.4, "M76 60V48M124 60V48M74 50H126"),
    shape("glow", rect(84, 34, 32, 26, 2)),
    stroke("metalDark", 2, "M94 34V60M106 34V60"),
    shape("accent", "M78 36C82 16 118 16 122 36Z"),
    shape("accent", dot(100, 14, 5)),
    shape("glow", "M96 100h8v10h-8ZM96 128h8v10h-8Z"),
  ],
};
