/** Red, green and blue, from 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The most similar of the 256 colours, except the first 16, which users may redefine. */
export function nearestOf256([red, green, blue]: Rgb): number {
  const cube: Rgb = [cubeStep(red), cubeStep(green), cubeStep(blue)];
  const cubeColour: Rgb = [cubeLevels[cube[0]] ?? 0, cubeLevels[cube[1]] ?? 0, cubeLevels[cube[2]] ?? 0];
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const greyLevel = 8 + 10 * grey;
  const isGreyNearer =
    distance([red, green, blue], [greyLevel, greyLevel, greyLevel]) < distance([red, green, blue], cubeColour);
  return isGreyNearer ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2];
}

/** The most similar of the 16 colours, in the usual palette. */
export function nearestOf16(colour: Rgb): number {
  let nearest = 0;
  for (let index = 1; index < palette16.length; index++) {
    const candidate = palette16[index] as Rgb;
    if (distance(colour, candidate) < distance(colour, palette16[nearest] as Rgb)) nearest = index;
  }
  return nearest;
}

const cubeLevels = [0, 95, 135, 175, 215, 255];

function cubeStep(level: number): number {
  if (level < 48) return 0;
  return level < 115 ? 1 : Math.min(5, Math.floor((level - 35) / 40));
}

const palette16: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

/** The eye distinguishes greens best, blues worst. */
function distance([red, green, blue]: Rgb, [otherRed, otherGreen, otherBlue]: Rgb): number {
  return 3 * (red - otherRed) ** 2 + 4 * (green - otherGreen) ** 2 + 2 * (blue - otherBlue) ** 2;
}
