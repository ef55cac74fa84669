import { hex } from "../colour.ts";
import { SUBJECT_WORDS } from "../subjects/subject-words.ts";
import { type Meaning, meaningsOf, type Vocabulary, vocabularyOf } from "./meaning.ts";

/** Words are in the singular; an entry has up to three of them. */

/** Negating one of these asks for a different place. */
const SETTING_WORDS = meaningsOf("setting", {
  mountains: "mountain, alps, alpine, himalaya, highland",
  hills: "hill, meadow, field, countryside, pasture, prairie, grassland, rural, landscape",
  forest: "forest, wood, woodland, jungle, rainforest, taiga, pine forest, enchanted forest",
  sea: "sea, ocean",
  beach: "beach, coast, shore, seaside",
  lake: "lake, pond",
  city: "city, town, downtown, urban, metropolis",
  desert: "desert, sahara",
  arctic: "arctic, antarctica, polar, north pole, south pole, tundra",
  space: "space, cosmos, universe, interstellar, solar system, cosmic",
  moon: "on the moon, lunar, moonscape, mars, martian, alien planet",
  underwater: "underwater, deep sea, under the sea, seabed",
  room: "room, interior",
  studio: "studio, portrait, headshot, closeup, close up",
});

/** Parts of a place and things in it: the place exists without them, too. */
const SETTING_HINTS = meaningsOf("setting", {
  mountains: "peak, volcano, canyon, fjord, summit, valley",
  hills: "farm, village, garden, park, vineyard",
  forest: "grove",
  sea: "cliff, harbor, harbour, sail, sailing, wave, marina, pirate ship",
  beach: "tropical, island, lagoon, bay, surf",
  lake: "river, reflection, riverside, waterfall, swamp",
  city: "skyline, street, building, skyscraper, tokyo, new york, london, paris, eiffel tower, berlin, cyberpunk, market, bridge, traffic",
  desert: "dune, cactus, oasis, egypt, pyramid, savanna, savannah, africa, western",
  arctic: "iceberg, glacier, frozen",
  space: "galaxy, nebula, planet, starship, orbit",
  underwater: "reef, coral, aquarium",
  room: "kitchen, cafe, table, desk, window, library, bedroom, living room, restaurant, bar, office, laboratory, lab, meeting, classroom, workshop, studio apartment, still life, breakfast, shelf",
  studio:
    "product, icon, avatar, mascot, character, sticker, emoji, plain background, white background, black background, product photo, product shot",
}).map(([word, meaning]) => [word, { ...meaning, isHint: true } as Meaning] as const);

const HOUR_WORDS = meaningsOf("hour", {
  dawn: "dawn, sunrise, morning, daybreak",
  day: "day, daytime, noon, midday, afternoon, sunny, sunlight, daylight, blue sky",
  golden: "sunset, golden hour, evening, golden, sundown, warm light",
  dusk: "dusk, twilight, blue hour, nightfall, gloaming",
  night:
    "night, midnight, nighttime, nocturnal, starry, moonlit, moonlight, dark sky, starry night, starlight, milky way, campfire, bonfire",
});

const WEATHER_WORDS = meaningsOf("weather", {
  clouds: "cloud, cloudy",
  overcast: "overcast, grey sky, gray sky, gloomy",
  rain: "rain, rainy, drizzle, raining, shower, wet, umbrella",
  snow: "snow, snowy, snowing, snowfall, blizzard, snowflake, christmas, snowman",
  fog: "fog, foggy, mist, misty, haze, hazy, smoke",
  storm: "storm, stormy, thunder, lightning, thunderstorm, tempest",
  rainbow: "rainbow",
  aurora: "aurora, northern light, aurora borealis, polar light",
});

const SEASON_WORDS = meaningsOf("season", {
  spring: "spring, blossom, cherry blossom, sakura, blooming, easter, springtime",
  summer: "summer, summertime, lush",
  autumn: "autumn, fall, autumnal, october, harvest, halloween, november, thanksgiving",
  winter: "winter, wintry, snow, snowy, ice, icy, christmas, december, blizzard, frost, frosty, snowman",
});

const MOOD_WORDS = meaningsOf("mood", {
  calm: "calm, peaceful, serene, quiet, tranquil, zen, relaxing, cozy, cosy, gentle",
  happy: "happy, cheerful, joyful, playful, fun, cute, vibrant, colorful, colourful, vivid, party, birthday",
  dark: "dark, spooky, scary, haunted, sinister, noir, moody, gothic, horror, creepy",
  dreamy:
    "dreamy, magical, magic, fantasy, fairytale, fairy, surreal, whimsical, ethereal, enchanted, mystical, dream",
  epic: "epic, dramatic, majestic, heroic, cinematic, grand",
  neon: "cyberpunk, synthwave, vaporwave, futuristic, sci fi, scifi, outrun, hologram",
  retro: "retro, vintage, 70s, 80s, 60s, nostalgic, old school, midcentury",
  pastel: "pastel, soft color, soft colour, kawaii, candy",
  mono: "black and white, monochrome, grayscale, greyscale, black white",
  sepia: "sepia, antique, old photo, parchment",
});

const STYLE_WORDS = meaningsOf("style", {
  flat: "flat, flat design, vector, illustration, paper cut, papercut",
  poster: "poster, travel poster, screen print, art deco, postcard, cover art, book cover, album cover",
  watercolour: "watercolor, watercolour, aquarelle, ink wash, gouache",
  oil: "oil, oil painting, impressionist, impressionism, van gogh, monet, painting, painted, brush stroke, acrylic, impasto",
  pixel: "pixel, pixel art, 8 bit, 16 bit, 8bit, 16bit, pixelated, retro game, voxel",
  line: "line art, lineart, line drawing, sketch, pencil, ink drawing, drawing, coloring page, colouring page, outline, doodle, etching, charcoal, black ink",
  neon: "neon, neon sign, glowing line, neon light",
  lowpoly: "low poly, lowpoly, polygon, polygonal, origami, geometric",
  glass: "stained glass, stained glass window, mosaic, tile mosaic, cathedral window",
  abstract: "abstract, bauhaus, kandinsky, generative, mondrian, fluid, swirl",
  pattern: "pattern, seamless, seamless pattern, wrapping paper, textile, fabric, repeating",
  logo: "logo, emblem, badge, brand, branding, crest, monogram, app icon",
});

const EXTRA_WORDS = meaningsOf("extra", {
  sun: "sun, sunset, sunrise, sunny",
  moon: "moon, moonlit, moonlight, full moon, crescent",
  stars: "star, starry, milky way, constellation, starlight",
  birds: "bird, seagull, gull, flock, goose, crane",
  trees: "tree, pine, fir, oak, birch, spruce, forest, cherry blossom, sakura, maple",
  palms: "palm, palm tree, tropical, coconut",
  flowers: "flower, wildflower, poppy, lavender, daisy, bloom, meadow, garden, tulip, sunflower",
  grass: "grass, meadow, lawn",
  river: "river, stream, creek, brook",
  road: "road, path, trail, highway",
  cacti: "cactus, saguaro",
  pyramids: "pyramid, egypt",
  boats: "sailing, regatta, fishing, harbor, harbour, marina",
  islands: "island, archipelago",
  houses: "village, farm, cottage, cabin, farmhouse",
  lanterns: "lantern, sky lantern, festival, fairy light, string light",
  fireflies: "firefly, magical, enchanted, fairy, spark",
  petals: "petal, blossom, cherry blossom, sakura, confetti",
  leaves: "leaf, foliage, falling leaf",
  text: "text, caption, word, letter, watermark, writing",
  grain: "grain, noise",
  frame: "frame, border, vignette",
  man: "man, boy, king, prince, gentleman, father, grandfather, husband, son, brother, guy, samurai, monk, knight, wizard, businessman",
  beard: "beard, bearded, moustache, mustache, wizard",
  glasses: "glasses, spectacles, eyeglasses",
  hair: "hair, haired, hairdo, hairstyle, ponytail",
});

const COLOURS: Readonly<Record<string, string>> = {
  red: "#d8432f",
  scarlet: "#d8432f",
  crimson: "#b3203c",
  orange: "#ee7f2d",
  amber: "#f2a93b",
  yellow: "#f5c83a",
  gold: "#e3b23c",
  green: "#3f9a57",
  emerald: "#1f9d6e",
  lime: "#9ccb3b",
  olive: "#82873a",
  mint: "#8fd9b6",
  teal: "#1f9a99",
  turquoise: "#36bdb8",
  cyan: "#36bfd6",
  blue: "#2f6fd0",
  navy: "#23386e",
  azure: "#4aa3e8",
  indigo: "#4a4bb8",
  purple: "#7f4fc0",
  violet: "#8a56cf",
  lavender: "#b29be0",
  magenta: "#cc3f9b",
  pink: "#ef7fa5",
  brown: "#8a5a3b",
  beige: "#e3cfae",
  cream: "#f6ead0",
  white: "#f7f5f0",
  "white background": "#f4f2ee",
  "black background": "#33343f",
  black: "#2a2b36",
  grey: "#8d93a0",
  gray: "#8d93a0",
  silver: "#b9c0cc",
  copper: "#b8703f",
  ginger: "#e08a3c",
};

const COUNTS: Readonly<Record<string, number>> = {
  two: 2,
  pair: 2,
  couple: 2,
  three: 3,
  trio: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  "half dozen": 6,
  "half a dozen": 6,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  "twenty one": 21,
  "twenty two": 22,
  "twenty three": 23,
  "twenty four": 24,
  "two dozen": 24,
  ...Object.fromEntries(Array.from({ length: 23 }, (_, at) => [String(at + 2), at + 2])),
};

const VAGUE_COUNTS: Readonly<Record<string, number>> = {
  several: 4,
  many: 5,
  group: 4,
  herd: 5,
  crowd: 5,
};

export const VOCABULARY: Vocabulary = vocabularyOf([
  ...SETTING_WORDS,
  ...SETTING_HINTS,
  ...HOUR_WORDS,
  ...WEATHER_WORDS,
  ...SEASON_WORDS,
  ...MOOD_WORDS,
  ...STYLE_WORDS,
  ...EXTRA_WORDS,
  ...Object.entries(COLOURS).map(([word, code]) => [word, { kind: "colour", value: hex(code) }] as const),
  ...Object.entries(COUNTS).map(([word, value]) => [word, { kind: "count", value }] as const),
  ...Object.entries(VAGUE_COUNTS).map(
    ([word, value]) => [word, { kind: "count", value, isVague: true }] as const,
  ),
  ...Object.entries(SUBJECT_WORDS).flatMap(([name, words]) =>
    words
      .split(",")
      .map((word): readonly [string, Meaning] => [word.trim(), { kind: "subject", value: name }]),
  ),
]);
