//===- Projection.h - Maps of the sky and of discs --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FIGURES_PROJECTION_H
#define PMRT_IO_FIGURES_PROJECTION_H

#include "runtime/Core/Context.h"

namespace pmrt {

/// The pixel of HEALPix, in the order of rings, in a direction: z is the cosine
/// of the angle from the pole, phi the longitude in radians from 0 on.
int64_t healpixRing(int64_t nside, double z, double phi);

/// Draws a field in the projection that the figure names into the figure's
/// values: every pixel is the mean of what it covers, of points at least as
/// dense as the cells up to 8 by 8 a pixel. What no cell is at is not a number.
/// A collective: every rank adds what it has.
void projectMap(Context &context, const pmrt_array &array, Figure &figure);

} // namespace pmrt

#endif // PMRT_IO_FIGURES_PROJECTION_H
