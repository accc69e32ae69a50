#include "runtime/Core/Op.h"
void pmrt_plot(pmrt_context *ctx, pmrt_loc loc, int32_t, int32_t,
               const pmrt_array *const *) {
  throw ctx->failure(loc, "plots are not available");
}
