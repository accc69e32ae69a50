# Makes a C++ source of the text in FROM.
file(READ ${FROM} text)
file(WRITE ${TO} "// Made by CUDA/Embed.cmake from Kernels.cpp.
namespace pmrt::cuda {
extern const char kernelText[];
const char kernelText[] = R\"PTX(${text})PTX\";
} // namespace pmrt::cuda
")
