/**
 * Computes x to the power of y with the rounding of Go's math.Pow, which differs from JavaScript's in the last digits.
 * The whole part of y uses repeated squaring of x's mantissa; the fraction uses exp and log.
 */
export function goPow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return x === -1 ? 1 : x ** y;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  const size = Math.abs(y);
  const whole = Math.trunc(size);
  if (size !== whole && x < 0) return Number.NaN;
  if (whole >= 2 ** 63) return hugePower(x, y);
  return finitePower(x, y, whole, size - whole);
}

/** Handles a huge exponent, which is always even. */
function hugePower(x: number, y: number): number {
  if (x === -1) return 1;
  return Math.abs(x) < 1 === y > 0 ? 0 : Infinity;
}

function finitePower(x: number, y: number, whole: number, fraction: number): number {
  let result = 1;
  let exponent = 0;
  let rest = BigInt(whole);
  if (fraction !== 0) {
    const isUpper = fraction > 0.5;
    if (isUpper) rest++;
    result = Math.exp((isUpper ? fraction - 1 : fraction) * Math.log(x));
  }
  let [mantissa, power] = splitFloat(x);
  for (; rest !== 0n; rest >>= 1n) {
    if (Math.abs(power) > 4096) {
      exponent += power;
      break;
    }
    if (rest & 1n) {
      result *= mantissa;
      exponent += power;
    }
    mantissa *= mantissa;
    power *= 2;
    if (mantissa < 0.5) {
      mantissa *= 2;
      power--;
    }
  }
  return y < 0 ? scale(1 / result, -exponent) : scale(result, exponent);
}

/** Splits a float into a mantissa in [0.5, 1) and its power of two. */
function splitFloat(value: number): [number, number] {
  const lift = Math.abs(value) < 2 ** -1022 ? 52 : 0;
  const lifted = value * 2 ** lift;
  let power = Math.floor(Math.log2(Math.abs(lifted))) + 1;
  let mantissa = scale(lifted, -power);
  if (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    power++;
  } else if (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    power--;
  }
  return [mantissa, power - lift];
}

/** Computes value * 2^power, rounded once for any power. */
function scale(value: number, power: number): number {
  const steps = Math.max(-2200, Math.min(2200, power));
  if (Math.abs(steps) <= 1000) return value * 2 ** steps;
  const half = Math.trunc(steps / 3);
  return value * 2 ** half * 2 ** half * 2 ** (steps - 2 * half);
}
