# Makes a C++ source of the text in FROM: the string NAME.
file(READ ${FROM} text)
file(WRITE ${TO} "// Made by CUDA/Embed.cmake.
extern \"C\" const char ${NAME}[];
const char ${NAME}[] = R\"PTX(${text})PTX\";
")
