// Whether the structs of XlaAbi.h have the layout of the header of jaxlib.

#include "runtime/Embed/XlaAbi.h"
#include "xla/ffi/api/c_api.h"

#define SAME(ours, member, theirs, other)                                      \
  static_assert(offsetof(pmrt::xla::ours, member) ==                           \
                    offsetof(theirs, other) &&                                 \
                sizeof(pmrt::xla::ours::member) == sizeof(theirs::other))

SAME(Extension, type, XLA_FFI_Extension_Base, type);
SAME(Extension, next, XLA_FFI_Extension_Base, next);
SAME(Version, major, XLA_FFI_Api_Version, major_version);
SAME(Version, minor, XLA_FFI_Api_Version, minor_version);
SAME(NewError, message, XLA_FFI_Error_Create_Args, message);
SAME(NewError, code, XLA_FFI_Error_Create_Args, errc);
SAME(Api, version, XLA_FFI_Api, api_version);
SAME(Api, createError, XLA_FFI_Api, XLA_FFI_Error_Create);
SAME(Api, getStream, XLA_FFI_Api, XLA_FFI_Stream_Get);
SAME(StreamRequest, context, XLA_FFI_Stream_Get_Args, ctx);
SAME(StreamRequest, stream, XLA_FFI_Stream_Get_Args, stream);
SAME(Buffer, type, XLA_FFI_Buffer, dtype);
SAME(Buffer, data, XLA_FFI_Buffer, data);
SAME(Buffer, rank, XLA_FFI_Buffer, rank);
SAME(Buffer, dims, XLA_FFI_Buffer, dims);
SAME(Buffers, count, XLA_FFI_Args, size);
SAME(Buffers, kinds, XLA_FFI_Args, types);
SAME(Buffers, values, XLA_FFI_Args, args);
SAME(Buffers, count, XLA_FFI_Rets, size);
SAME(Buffers, kinds, XLA_FFI_Rets, types);
SAME(Buffers, values, XLA_FFI_Rets, rets);
SAME(Text, data, XLA_FFI_ByteSpan, ptr);
SAME(Text, length, XLA_FFI_ByteSpan, len);
SAME(Attributes, count, XLA_FFI_Attrs, size);
SAME(Attributes, kinds, XLA_FFI_Attrs, types);
SAME(Attributes, names, XLA_FFI_Attrs, names);
SAME(Attributes, values, XLA_FFI_Attrs, attrs);
SAME(CallFrame, extensions, XLA_FFI_CallFrame, extension_start);
SAME(CallFrame, api, XLA_FFI_CallFrame, api);
SAME(CallFrame, context, XLA_FFI_CallFrame, ctx);
SAME(CallFrame, stage, XLA_FFI_CallFrame, stage);
SAME(CallFrame, arguments, XLA_FFI_CallFrame, args);
SAME(CallFrame, results, XLA_FFI_CallFrame, rets);
SAME(CallFrame, attributes, XLA_FFI_CallFrame, attrs);
SAME(Metadata, version, XLA_FFI_Metadata, api_version);
SAME(Metadata, traits, XLA_FFI_Metadata, traits);
SAME(MetadataRequest, metadata, XLA_FFI_Metadata_Extension, metadata);

#define EQUAL(ours, theirs) static_assert(int(pmrt::xla::ours) == int(theirs))

EQUAL(majorVersion, XLA_FFI_API_MAJOR);
EQUAL(metadataExtension, XLA_FFI_Extension_Metadata);
EQUAL(bufferKind, XLA_FFI_ArgType_BUFFER);
EQUAL(bufferKind, XLA_FFI_RetType_BUFFER);
EQUAL(textKind, XLA_FFI_AttrType_STRING);
EQUAL(Execute, XLA_FFI_ExecutionStage_EXECUTE);
EQUAL(Cancelled, XLA_FFI_Error_Code_CANCELLED);
EQUAL(InvalidArgument, XLA_FFI_Error_Code_INVALID_ARGUMENT);
EQUAL(Internal, XLA_FFI_Error_Code_INTERNAL);
EQUAL(Pred, XLA_FFI_DataType_PRED);
EQUAL(S8, XLA_FFI_DataType_S8);
EQUAL(S16, XLA_FFI_DataType_S16);
EQUAL(S32, XLA_FFI_DataType_S32);
EQUAL(S64, XLA_FFI_DataType_S64);
EQUAL(U8, XLA_FFI_DataType_U8);
EQUAL(U16, XLA_FFI_DataType_U16);
EQUAL(U32, XLA_FFI_DataType_U32);
EQUAL(U64, XLA_FFI_DataType_U64);
EQUAL(F32, XLA_FFI_DataType_F32);
EQUAL(F64, XLA_FFI_DataType_F64);
EQUAL(C64, XLA_FFI_DataType_C64);
EQUAL(C128, XLA_FFI_DataType_C128);
