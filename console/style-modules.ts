/** CSS is bundled with the script that imports it. */
declare module "*.css";
