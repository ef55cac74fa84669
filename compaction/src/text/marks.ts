/**
 * Our notation at level `structural`. A mark is a section sign directly followed by one of these words, so that a
 * reader, and the decoder, knows what is ours.
 */
export const SIGN = "§";
export const SAME = "§same as ";
export const NUMBERED = "§lines ";
export const EACH = "§each of ";
export const COLUMNS = "§cols";
export const KEY = "§key";
