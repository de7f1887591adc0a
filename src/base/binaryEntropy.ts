/** Returns the binary entropy of a share from 0 to 1, in bits: 0 for none or all, 1 for a half. */
export function binaryEntropy(share: number): number {
  if (share <= 0 || share >= 1) return 0;
  return -(share * Math.log2(share) + (1 - share) * Math.log2(1 - share));
}
