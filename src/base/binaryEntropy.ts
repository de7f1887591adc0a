/** How undecided a share from 0 to 1 leaves one of two, in bits: 0 where it is none or all, 1 for a half. */
export function binaryEntropy(share: number): number {
  if (share <= 0 || share >= 1) return 0;
  return -(share * Math.log2(share) + (1 - share) * Math.log2(1 - share));
}
